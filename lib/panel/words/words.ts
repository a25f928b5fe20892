/** The words of the panel, in the language that it speaks. */
export * as words from './english.ts';
export { locale } from './english.ts';
