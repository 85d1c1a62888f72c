import type { PromiseMutant } from '../promise-mutant.ts';

/** Links by which one person answers one question. */
export const linkMutants: readonly PromiseMutant[] = [
  {
    name: 'an-expired-link-works',
    promise: '0045.8: A link can answer before it expires.',
    patches: [
      {
        file: 'lib/plugins/links/open-link.ts',
        find: "if (link.expiresAt <= clock.now()) return { notice: 'expired', ...links };",
        replace: "if (link.expiresAt <= link.issuedAt) return { notice: 'expired', ...links };",
      },
    ],
    suites: ['tests/contract/answer-links.test.ts', 'tests/contract/answer-links-hostile.test.ts'],
  },
  {
    name: 'a-forged-link-is-opened',
    promise: '0045.1: A token that was changed, or made with another key, opens nothing.',
    patches: [
      {
        file: 'lib/plugins/links/link-token.ts',
        find: 'if (runtime.isSame(tag, tagOf(key, content))) return linkIn(content);',
        replace: 'if (tag.length > 0) return linkIn(content);',
      },
    ],
    suites: ['tests/contract/answer-links-hostile.test.ts', 'tests/adr/0045-answer-by-link.test.ts'],
  },
  {
    name: 'links-of-an-older-secret-stop-working',
    promise: '0045.12: A link of a former secret works while that secret is listed.',
    patches: [
      {
        file: 'lib/plugins/links/link-token.ts',
        find: 'for (const key of keys) {',
        replace: 'for (const key of keys.slice(0, 1)) {',
      },
    ],
    suites: ['tests/adr/0045-answer-by-link.test.ts'],
  },
  {
    name: 'a-link-works-for-another-person',
    promise: '0045.5: `person` determines the name and the role for each request.',
    patches: [
      {
        file: 'lib/plugins/links/link-visitor.ts',
        find: 'if (!isPrincipal(found) || found.id !== target.id)',
        replace: 'if (!isPrincipal(found))',
      },
    ],
    suites: ['tests/contract/answer-links-hostile.test.ts'],
  },
  {
    name: 'a-link-for-a-role-works-for-everybody',
    promise: '0045.6: A link for a role needs a signed-in person with that role.',
    patches: [
      {
        file: 'lib/plugins/links/link-visitor.ts',
        find: 'target.id === undefined ? principal.role === target.role :',
        replace: 'target.id === undefined ? true :',
      },
    ],
    suites: ['tests/contract/answer-links-hostile.test.ts'],
  },
  {
    name: 'a-link-proves-a-sign-in',
    promise: '0045.7: A link never satisfies `stepUp`.',
    patches: [
      {
        file: 'lib/plugins/links/link-visitor.ts',
        find: 'return { principal, isCredential: true };',
        replace: 'return { principal: found, isCredential: true };',
      },
    ],
    suites: ['tests/adr/0045-answer-by-link.test.ts'],
  },
  {
    name: 'one-form-answers',
    promise: '0045.3: An answer takes two forms.',
    patches: [
      {
        file: 'lib/plugins/links/link-answer.ts',
        find: "return step === 'confirm'\n      ? await submit",
        replace: "return step === 'confirm' || !answer.approved\n      ? await submit",
      },
    ],
    suites: ['tests/adr/0045-answer-by-link.test.ts'],
  },
  {
    name: 'a-form-of-another-page-answers',
    promise: '0045.3: The forms are bound to the link, the person and what was shown.',
    patches: [
      {
        file: 'lib/plugins/links/link-answer.ts',
        find: '  if (!forms.fits(form, bound)) return shownAgain(server, opened, question, answer);\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/answer-links-hostile.test.ts', 'tests/adr/0045-answer-by-link.test.ts'],
  },
  {
    name: 'the-confirmation-is-not-bound-to-the-decision',
    promise: '0045.3: The second form is bound to the answer.',
    patches: [
      {
        file: 'lib/plugins/links/form-token.ts',
        find: 'question), answer ?? null]',
        replace: 'question), answer === undefined]',
      },
    ],
    suites: ['tests/contract/answer-links-hostile.test.ts', 'tests/adr/0045-answer-by-link.test.ts'],
  },
  {
    name: 'a-form-survives-a-change-of-the-arguments',
    promise: '0045.3: The forms are bound to the link, the person and what was shown.',
    patches: [
      {
        file: 'lib/plugins/links/form-token.ts',
        find: 'return { id, toolCallId, toolName, input, runsAs, state, ...explained };',
        replace: 'return { id, toolCallId, toolName, state };',
      },
    ],
    suites: ['tests/contract/answer-links-hostile.test.ts', 'tests/contract/answer-links.test.ts'],
  },
  {
    name: 'markup-in-arguments-is-shown-as-markup',
    promise: '0045.14: Texts from models, tools and people are shown as text.',
    patches: [
      {
        file: 'lib/channels/html.ts',
        find: "'<': '&lt;',",
        replace: "'<': '<',",
      },
    ],
    suites: ['tests/contract/answer-links-hostile.test.ts', 'tests/contract/answer-links.test.ts'],
  },
  {
    name: 'links-are-opened-without-a-limit',
    promise: '0045: A link can be opened 240 times a minute.',
    patches: [
      {
        file: 'lib/plugins/links/open-link.ts',
        find: '  limits.takeLink(link);\n',
        replace: '',
      },
    ],
    suites: ['tests/contract/answer-links.test.ts'],
  },
  {
    name: 'a-value-that-does-not-fit-is-sent',
    promise: '0053.4: A value that is rejected records nothing, and is shown again as it was typed.',
    patches: [
      {
        file: 'lib/plugins/links/answer-value.ts',
        find: '  if (problems.size > 0) return again(problems);\n',
        replace: '',
      },
    ],
    suites: [
      'tests/contract/answer-links-value.test.ts',
      'tests/contract/answer-links-value-hostile.test.ts',
    ],
  },
  {
    name: 'a-field-twice-in-a-form',
    promise: '0053.3: Fields that the page does not have are refused, and repeated ones.',
    patches: [
      {
        file: 'lib/plugins/links/read-form.ts',
        find: 'if (new Set(names).size < names.length) throw foreign();',
        replace: '',
      },
    ],
    suites: [
      'tests/contract/answer-links-value-hostile.test.ts',
      'tests/contract/answer-links-hostile.test.ts',
    ],
  },
  {
    name: 'forms-of-other-sites-answer',
    promise: '0045: A page of this host must have sent the form.',
    patches: [
      {
        file: 'lib/plugins/links/guard-form.ts',
        find: "if (site === null || site === 'same-origin' || site === 'none') return;",
        replace: 'if (site !== undefined) return;',
      },
    ],
    suites: ['tests/contract/answer-links-hostile.test.ts'],
  },
  {
    name: 'a-link-has-any-pattern-in-its-controls',
    promise: '0053.9',
    patches: [
      {
        file: 'lib/plugins/forms/page/control-attributes.ts',
        find: 'isKnownPattern(pattern) &&',
        replace: 'isKnownPattern !== undefined &&',
      },
    ],
    suites: ['tests/contract/answer-links-patterns.test.ts', 'tests/adr/0053-a-value-by-link.test.ts'],
  },
];
