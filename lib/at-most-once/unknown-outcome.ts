import { secondMs } from '../kernel/clock.ts';

/** How long after a call of unknown outcome the platform is first asked: its reads may lag behind its writes. */
export const firstQuestionMs = 10 * secondMs;

/** A post lists the errors of up to 50 targets, in one item of at most 400 KB. */
const mostReasonCharacters = 500;

/** A reason as it is stored: cut to 500 characters. */
export function shortReason(text: string): string {
  return text.length > mostReasonCharacters
    ? `${text.slice(0, mostReasonCharacters - 1).toWellFormed()}…`
    : text;
}
