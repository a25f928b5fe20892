/** Marks a skip reason that names a program which is missing on this machine. */
const prefix = 'missing program: ';
/** Returns the reason for skipping a test. @param what says which program is missing and what to do */
export const missingProgram = (what) => `${prefix}${what}`;
/** Prints at the end of a run how many tests were skipped because a program is missing, one line per program. */
export class MissingPrograms {
    onTestRunEnd(modules) {
        const notes = modules
            .flatMap((module) => [...module.children.allTests('skipped')])
            .map((test) => test.result())
            .map((result) => (result.state === 'skipped' ? (result.note ?? '') : ''))
            .filter((note) => note.startsWith(prefix));
        for (const [note, { length }] of Map.groupBy(notes, (note) => note.slice(prefix.length)))
            console.log(`Skipped ${length === 1 ? '1 test' : `${length} tests`}: ${note}`);
    }
}
