import { func, object, oneOf, type SettingCheck, text, unfit } from '../../protocol/settings.ts';

const least = 2;
const most = 6;
const longestLabel = 60;
const longestReason = 2_000;

const idCheck: SettingCheck = (value, path) => {
  const isId = typeof value === 'string' && /^[a-z0-9][a-z0-9-]{0,31}$/.test(value);
  if (!isId) unfit(path, 'must be 1 to 32 lower-case letters, digits and hyphens');
};

function textUpTo(longest: number): SettingCheck {
  return (value, path) => {
    text()(value, path);
    const given = value as string;
    if (given.trim() === '' || given.length > longest || !given.isWellFormed())
      unfit(path, `must be a text of 1 to ${longest} characters`);
  };
}

const option = object(
  {
    id: idCheck,
    label: textUpTo(longestLabel),
    then: oneOf('approve', 'deny'),
    input: func,
    reason: textUpTo(longestReason),
  },
  ['id', 'label', 'then'],
);

/** Checks the options of a tool's questions. At least one of them must approve. @source ADR 0050 */
export const optionsCheck: SettingCheck = (value, path) => {
  if (!Array.isArray(value)) unfit(path, 'must be a list');
  if (value.length < least || value.length > most) unfit(path, `must have ${least} to ${most} options`);
  const given = value as { id: string; label: string; then: string; input?: unknown }[];
  given.forEach((each, index) => {
    option(each, `${path}[${index}]`);
    const { id, label, then, input } = each;
    const before = given.slice(0, index);
    if (before.some((other) => other.id === id)) unfit(`${path}[${index}].id`, 'is the id of another option');
    if (before.some((other) => other.label === label))
      unfit(`${path}[${index}].label`, 'is the label of another option');
    if (then === 'deny' && input !== undefined)
      unfit(`${path}[${index}].input`, 'has no effect: a denied call does not run');
  });
  if (!given.some(({ then }) => then === 'approve')) unfit(path, 'must have an option that approves');
};
