import { invalidField } from '../../lib/kernel/errors.ts';

/**
 * Reads a whole number of at least 1.
 *
 * @param option the name of the option, for the message
 * @throws HeraldError `invalid`
 */
export function readCount(option: string, text: string, most: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > most) throw invalidField(option, `must be a whole number from 1 to ${most}`);
  return count;
}
