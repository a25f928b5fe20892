/** Records of finished builds: a build is repeated only if a file that it read or wrote has changed. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as z from 'zod';

/** The files of a finished build. */
export interface FinishedBuild {
  /** Paths of the files that the build read, as {@link Digest} knows them. */
  readonly inputs: readonly string[];
  /** Absolute paths of the files that it wrote. */
  readonly outputs: readonly string[];
}

/** Returns a digest of an input's content. */
export type Digest = (input: string) => string;

const Stored = z.object({
  /** The digest of the inputs and the tools. */
  digest: z.string(),
  inputs: z.array(z.string()),
  /** Digests of the written files, by their paths relative to the record. */
  outputs: z.record(z.string(), z.string()),
});

/**
 * Returns the recorded build if it would give the same files again, and they are all there. A record that cannot be read counts
 * as missing.
 *
 * @param file the record's path, absolute
 * @param tools digest of everything that decides the outputs except the inputs
 */
export function findUnchanged(file: string, tools: string, digest: Digest): FinishedBuild | undefined {
  try {
    const stored = Stored.parse(JSON.parse(readFileSync(file, 'utf8')));
    if (digestOfInputs(stored.inputs, tools, digest) !== stored.digest) return undefined;
    const outputs = Object.entries(stored.outputs).map(
      ([path, written]) => [join(dirname(file), path), written] as const,
    );
    if (outputs.some(([path, written]) => digestOfFile(path) !== written)) return undefined;
    return { inputs: stored.inputs, outputs: outputs.map(([path]) => path) };
  } catch {
    return undefined;
  }
}

/** Records a build, after all its files are written. The parameters are those of {@link findUnchanged}. */
export function recordBuild(
  file: string,
  { inputs, outputs }: FinishedBuild,
  tools: string,
  digest: Digest,
): void {
  const written = outputs.map((path) => [relative(dirname(file), path), digestOfFile(path)]);
  const record = {
    digest: digestOfInputs(inputs, tools, digest),
    inputs,
    outputs: Object.fromEntries(written),
  };
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}.partial`;
  writeFileSync(partial, JSON.stringify(record));
  renameSync(partial, file);
}

/**
 * Returns a function for the digests of files relative to a folder. It reads each once. A file that is written after this call
 * gets a digest that no later build has, because a build may have read its old or its new content.
 */
export function digestsIn(root: string): Digest {
  const startedMs = Date.now();
  const known = new Map<string, string>();
  return (input) => {
    const path = join(root, input);
    const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    const digest =
      known.get(input) ?? (Math.floor(mtimeMs) > startedMs ? `written at ${mtimeMs}` : digestOfFile(path));
    known.set(input, digest);
    return digest;
  };
}

export function digestOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

function digestOfInputs(inputs: readonly string[], tools: string, digest: Digest): string {
  return digestOf([tools, ...inputs.toSorted().map((input) => `${input} ${digest(input)}`)].join('\n'));
}

function digestOfFile(path: string): string {
  try {
    return digestOf(readFileSync(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'none';
    throw error;
  }
}
