/**
 * The style of the pages: both colour schemes, forced colours, from 320 px. The pages load nothing, and the policy allows this
 * text alone, by its hash.
 */
export const styles = `
:root {
  color-scheme: light dark;
  --text: #1b1b1f; --quiet: #5a5a64; --page: #f4f4f6; --surface: #fff; --line: #c9c9d1;
  --go: #17663a; --go-text: #fff; --danger: #a3211b; --danger-text: #fff; --note: #fff4d6; --focus: #1d4ed8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #ececf1; --quiet: #b0b0bb; --page: #141417; --surface: #1e1e23; --line: #4a4a55;
    --go: #7fd6a2; --go-text: #06220f; --danger: #ff9d95; --danger-text: #350502; --note: #3a2f10; --focus: #9db8ff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 1rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
main {
  max-width: 42rem; margin: 0 auto; padding: 1rem; background: var(--surface);
  border: 1px solid var(--line); border-radius: 0.75rem;
}
main[data-risk="high"] { border: 2px solid var(--danger); }
h1 { margin: 0.25rem 0 0.75rem; font-size: 1.375rem; line-height: 1.3; }
h2 { margin: 1.25rem 0 0.25rem; font-size: 1rem; }
p { margin: 0.5rem 0; }
.quiet, dt, caption { color: var(--quiet); }
.kicker { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; margin: 0; font-size: 0.875rem; }
[data-risk="high"] .risk { color: var(--danger); font-weight: 600; }
.note { padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--note); }
dl { margin: 0.5rem 0; }
dl > div { display: grid; grid-template-columns: minmax(6rem, 1fr) 3fr; gap: 0 0.75rem; padding: 0.125rem 0; }
dd { margin: 0; min-width: 0; }
dd dl, dd ul { margin: 0; }
ul { margin: 0.5rem 0; padding-inline-start: 1.25rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; overflow-wrap: normal; }
caption { text-align: start; }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
pre {
  margin: 0.5rem 0; padding: 0.5rem; max-height: 20rem; overflow: auto; border: 1px solid var(--line); border-radius: 0.5rem;
  font: 0.875rem/1.5 ui-monospace, monospace; white-space: pre-wrap;
}
del { color: var(--danger); text-decoration: none; }
ins { color: var(--go); text-decoration: none; }
q { white-space: pre-wrap; }
summary { padding: 0.625rem 0; cursor: pointer; }
.link { display: inline-block; padding: 0.625rem 0; }
label, legend, .label { display: block; padding: 0; font-weight: 600; }
label .quiet, legend .quiet { font-weight: 400; }
form > label, .field { margin: 1rem 0 0; }
fieldset { min-width: 0; padding: 0; border: 0; }
.field p { margin: 0.125rem 0; }
textarea, select, input:not([type="radio"]) {
  width: 100%; min-height: 3rem; padding: 0.5rem; border: 1px solid var(--quiet); border-radius: 0.5rem;
  background: var(--surface); color: inherit; font: inherit;
}
textarea { min-height: 4.5rem; }
.option { display: flex; gap: 0.75rem; align-items: center; min-height: 2.75rem; font-weight: 400; }
.option input { flex: none; width: 1.5rem; height: 1.5rem; margin: 0; }
.problems { margin-bottom: 1rem; }
.problem { color: var(--danger); font-weight: 600; }
[aria-invalid] { border-color: var(--danger) !important; border-width: 2px !important; }
fieldset[aria-invalid] { padding-inline-start: 0.75rem; border-inline-start: 4px solid var(--danger) !important; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1rem 0 0.5rem; }
button {
  flex: 1 1 8rem; min-height: 3rem; padding: 0.5rem 1rem; border: 2px solid var(--text); border-radius: 0.5rem;
  background: var(--surface); color: var(--text); font: inherit; font-weight: 600; cursor: pointer;
}
button[data-answer="approve"] { border-color: var(--go); background: var(--go); color: var(--go-text); }
[data-risk="high"] button[data-answer="approve"] {
  border: 3px double var(--danger-text); outline: 2px solid var(--danger); background: var(--danger); color: var(--danger-text);
}
a { color: inherit; }
:focus-visible { outline: 3px solid var(--focus) !important; outline-offset: 3px; }
@media (forced-colors: active) {
  button, main, pre, textarea, select, input, .note { border-color: CanvasText; }
  [data-risk="high"] button[data-answer="approve"] { outline-color: Highlight; }
  del { text-decoration: line-through; }
}
@media (max-width: 24rem) {
  body { padding: 0.5rem; }
  dl > div { grid-template-columns: 1fr; }
}
@media print { .actions, form { display: none; } }
`;
