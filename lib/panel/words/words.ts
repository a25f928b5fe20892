/** The words of the panel, in the language that it speaks. */
import { english } from './english.ts';

export { locale } from './english.ts';
export const words = english;
