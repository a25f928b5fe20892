import type { Reporter, TestModule } from 'vitest/node';

/** Marks the reason of a test that is skipped because a program is missing on this machine. */
const prefix = 'missing program: ';

/** The note of a test that is skipped because a program is missing; `what` says which one, and what to do. */
export const missingProgram = (what: string): string => `${prefix}${what}`;

/** Says at the end of a run which tests were skipped because a program is missing, in one line per program. */
export class MissingPrograms implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const notes = modules
      .flatMap((module) => [...module.children.allTests('skipped')])
      .map((test) => test.result())
      .map((result) => (result.state === 'skipped' ? (result.note ?? '') : ''))
      .filter((note) => note.startsWith(prefix));
    for (const [note, { length }] of Map.groupBy(notes, (note) => note.slice(prefix.length)))
      console.log(`Skipped ${length === 1 ? '1 test' : `${length} tests`}: ${note}`);
  }
}
