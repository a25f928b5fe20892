import { globSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { counted } from './progress.ts';

const root = join(import.meta.dirname, '../../..');

/** The panel runs in browsers. */
const isPanel = (file: string): boolean => file.startsWith('lib/panel/');

/**
 * Begins to note which functions of this process run. Must be called before anything imports the service.
 *
 * @returns a function that names the files of `lib` that have functions of which none has run
 */
export async function watchEntries(): Promise<() => Promise<string[]>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false });
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const entered = new Set(
      result
        // The first function is the file itself, which runs when it is loaded.
        .filter(({ functions: [, ...own] }) =>
          own.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
        )
        .map(({ url }) => url),
    );
    return globSync('lib/**/*.ts', { cwd: root }).filter(
      (file) => !isPanel(file) && !entered.has(pathToFileURL(join(root, file)).href) && hasFunctions(file),
    );
  };
}

/** Types, schemas and tables have no functions. */
function hasFunctions(file: string): boolean {
  return /=>|function\b/.test(stripTypeScriptTypes(readFileSync(join(root, file), 'utf8')));
}

/** Lists, by folder, the files that no process has entered. @param unentered those of each process */
export function unenteredLines(unentered: readonly (readonly string[])[]): string[] {
  const [first = [], ...others] = unentered;
  const files = first.filter((file) => others.every((list) => list.includes(file))).toSorted();
  const folders = Map.groupBy(files, dirname);
  return [
    `${counted(files.length, 'file')} of lib that no history has entered:`,
    ...[...folders].map(
      ([folder, inside]) => `  ${folder}: ${inside.map((file) => relative(folder, file)).join(', ')}`,
    ),
  ];
}
