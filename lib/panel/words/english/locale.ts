export const locale = 'en-GB';

const plurals = new Intl.PluralRules(locale);
export const numbers = new Intl.NumberFormat(locale);

/** `count(1, 'post', 'posts')` is `1 post`. */
export function count(number: number, one: string, other: string): string {
  return `${numbers.format(number)} ${plurals.select(number) === 'one' ? one : other}`;
}

export const countPosts = (number: number) => count(number, 'post', 'posts');
export const countAccounts = (number: number) => count(number, 'account', 'accounts');
export const countDestinations = (number: number) => count(number, 'destination', 'destinations');
