export { defaultPageFormWords, type PageFormWords } from './page/page-form-words.ts';
export { pageForms } from './page/page-forms.ts';
