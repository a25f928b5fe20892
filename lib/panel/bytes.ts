import { locale } from './words/words.ts';

const units = ['KiB', 'MiB', 'GiB', 'TiB'] as const;
const whole = new Intl.NumberFormat(locale);
const short = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });

/** `1.25 GiB`: three digits, in the units of the documentation. `512 bytes` below a KiB. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length);
  const unit = units[power - 1];
  if (unit === undefined) return `${whole.format(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const amount = bytes / 1_024 ** power;
  return `${(amount < 1_000 ? short : whole).format(amount)} ${unit}`;
}
