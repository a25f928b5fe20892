import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** One import of one file. Paths are relative to the project's root; `to` is a package's name if it is not our file. */
export interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
}

const statement =
  /^(?:import|export)(?<type>\s+type)?\s+(?:(?<names>[^'";=()]*?)\s+from\s+)?'(?<specifier>[^']+)'/gm;
const dynamic = /\bimport\('(?<specifier>[^']+)'\)/g;

/** Returns the imports in a file's text, including type imports and dynamic ones with a literal path. Pure. */
export function importsOf(file: string, text: string): Import[] {
  const resolve = (specifier = '') =>
    specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier;
  const stated = [...text.matchAll(statement)].map(({ groups = {} }) => ({
    from: file,
    to: resolve(groups['specifier']),
    isType: groups['type'] !== undefined || hasOnlyTypes(groups['names']),
  }));
  const loaded = [...text.matchAll(dynamic)].map(({ groups = {} }) => ({
    from: file,
    to: resolve(groups['specifier']),
    isType: false,
  }));
  return [...stated, ...loaded];
}

function hasOnlyTypes(names: string | undefined): boolean {
  if (!names?.startsWith('{')) return false;
  const parts = names
    .slice(1, -1)
    .split(',')
    .map((name) => name.trim());
  return parts.every((name) => name === '' || name.startsWith('type '));
}

/**
 * Returns the imports of all TypeScript files in the folders, those with JSX included.
 *
 * @param root the project's root
 */
export function readImports(root: string, folders: readonly string[]): Import[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
    .sort()
    .flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')));
}

/** Returns the groups of nodes that can reach each other (Tarjan's algorithm), each sorted. Pure. */
export function cyclesIn(edges: readonly (readonly [from: string, to: string])[]): string[][] {
  const next = Map.groupBy(edges, ([from]) => from);
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (node: string): number => {
    const index = order.size;
    order.set(node, index);
    stack.push(node);
    let lowest = index;
    for (const [, to] of next.get(node) ?? []) {
      if (!order.has(to)) lowest = Math.min(lowest, visit(to));
      else if (stack.includes(to)) lowest = Math.min(lowest, low.get(to) ?? order.get(to) ?? index);
      low.set(node, lowest);
    }
    low.set(node, lowest);
    if (lowest === index) {
      const group = stack.splice(stack.indexOf(node));
      if (group.length > 1 || next.get(node)?.some(([, to]) => to === node)) cycles.push(group.sort());
    }
    return lowest;
  };
  for (const node of next.keys()) if (!order.has(node)) visit(node);
  return cycles;
}
