import type { Bench } from './bench.ts';

export type Choice =
  | { readonly kind: 'help' }
  | { readonly kind: 'run'; readonly benches: readonly Bench[] }
  | { readonly kind: 'unknown'; readonly name: string };

/** Returns what the command line asks for: the named benches in the given order, or all benches. */
export function chooseBenches(all: readonly Bench[], names: readonly string[]): Choice {
  if (names.includes('--help') || names.includes('-h')) return { kind: 'help' };
  const benches: Bench[] = [];
  for (const name of names) {
    const bench = all.find((candidate) => candidate.name === name);
    if (!bench) return { kind: 'unknown', name };
    benches.push(bench);
  }
  return { kind: 'run', benches: names.length === 0 ? all : benches };
}

export function helpText(all: readonly Bench[]): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  return [
    'usage: npm run bench [-- <name> ...]',
    '',
    'Without a name, all benches run. The exit status is 1 if a bound is missed.',
    '',
    ...all.map(({ name, describe }) => `  ${name.padEnd(width)}  ${describe}`),
  ].join('\n');
}
