const outline =
  'M16.00 2.8Q19.67 -0.09 21.73 4.11Q26.29 3.1 26.32 7.77Q30.87 8.84 28.87 13.06Q32.5 16.00 28.87 18.94Q30.87 23.16 26.32 24.23Q26.29 28.9 21.73 27.89Q19.67 32.09 16.00 29.2Q12.33 32.09 10.27 27.89Q5.71 28.9 5.68 24.23Q1.13 23.16 3.13 18.94Q-0.5 16.00 3.13 13.06Q1.13 8.84 5.68 7.77Q5.71 3.1 10.27 4.11Q12.33 -0.09 16.00 2.8Z';

/**
 * A seal with a signature and its countersignature across. Decoration only, without a name.
 *
 * @param size in pixels
 * @param tone `stamp` is filled, for a signed answer; `outline` is a line drawing, for an open one
 */
export function Seal({ size = 22, tone = 'outline' }: { size?: number; tone?: 'stamp' | 'outline' }) {
  return (
    <svg
      data-countersign="seal"
      data-tone={tone}
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path data-stroke="body" d={outline} />
      <path data-stroke="sign" d="M9.6 16.8l4.3 4.4c2.6-5 5.4-8.6 9.2-11.2" />
      <path data-stroke="countersign" d="M8.8 12.6c3.4 1.2 8.6 4.6 13.8 9.2" />
    </svg>
  );
}
