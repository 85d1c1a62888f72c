/** A signature and its countersignature across, on a sheet: the mark of the app. Decoration only. @param size in pixels */
export function BrandMark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" strokeLinecap="round" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--pen-fill)" />
      <path
        stroke="var(--on-pen)"
        strokeWidth="2.6"
        d="M8 17.2l5 5.2c3-6 6.2-10 11-13"
        strokeLinejoin="round"
      />
      <path stroke="var(--on-pen)" strokeWidth="1.6" strokeOpacity=".6" d="M7.5 11.5c4 1.4 10 5.4 16.5 11" />
    </svg>
  );
}
