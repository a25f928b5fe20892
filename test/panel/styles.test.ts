import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const panel = join(import.meta.dirname, '../../lib/panel');

/** Widths at which stylesheets may change the layout: see `components/layout.tsx`. */
const breakpoints = ['30rem', '43.75rem', '62rem'];

const sourcesOf = (pattern: string): (readonly [file: string, text: string])[] =>
  globSync(pattern, { cwd: panel })
    .sort()
    .map((file) => [file, readFileSync(join(panel, file), 'utf8')]);

const stylesheets = sourcesOf('**/*.css').map(
  ([file, text]) => [file, text.replaceAll(/\/\*[\s\S]*?\*\//g, '')] as const,
);

describe('the stylesheets of the panel', () => {
  it('change the layout at a few widths, of all that the window can have', () => {
    const widths = stylesheets.flatMap(([file, text]) =>
      [...text.matchAll(/@media[^{]*width[^{]*/g)].map(([query]) => ({ file, query: query.trim() })),
    );
    const allowed = breakpoints.flatMap((width) => [
      `@media (width < ${width})`,
      `@media (width >= ${width})`,
    ]);
    expect(widths.length).toBeGreaterThan(20);
    expect(widths.filter(({ query }) => !allowed.includes(query))).toEqual([]);
  });

  it('have each class that components name, and no others', () => {
    const named = new Map<string, Set<string>>();
    const computed = new Set<string>();
    const missing: string[] = [];
    for (const [file, text] of sourcesOf('**/*.tsx'))
      for (const [, name, path] of text.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)) {
        const sheet = join(dirname(file), path as string);
        const known = classesIn(sheet);
        const names = [...text.matchAll(new RegExp(`(?<![.\\w/-])${name}\\.(\\w+)`, 'g'))].map(
          ([, each]) => each as string,
        );
        missing.push(...names.filter((each) => !known.has(each)).map((each) => `${file}: ${name}.${each}`));
        named.set(sheet, new Set([...(named.get(sheet) ?? []), ...names]));
        if (text.includes(`${name}[`)) computed.add(sheet);
      }
    const unused = [...named]
      .filter(([sheet]) => !computed.has(sheet))
      .flatMap(([sheet, names]) =>
        [...classesIn(sheet)].filter((each) => !names.has(each)).map((each) => `${sheet}: .${each}`),
      );
    expect(named.size).toBeGreaterThan(20);
    expect({ missing, unused }).toEqual({ missing: [], unused: [] });
  });
});

function classesIn(sheet: string): ReadonlySet<string> {
  const [, text = ''] = stylesheets.find(([file]) => file === sheet) ?? [];
  const selectors = text.replaceAll(/@[\w-]+[^{;]*[{;]|url\([^)]*\)/g, '').matchAll(/([^{};]*)\{/g);
  return new Set(
    [...selectors].flatMap(([, selector = '']) => selector.match(/(?<=\.)[a-zA-Z]\w*(?![\w-])/g) ?? []),
  );
}
