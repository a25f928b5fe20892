import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ReadRange } from '../probe/range-reader.ts';
import type { Recipe } from './recipe.ts';
import type { RenderTask, RenderVerdict } from './render-task.ts';

/** A file of a workspace, as it is stored. */
export interface Original {
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly readRange: ReadRange;
}

/** `failed`: this original cannot be rendered as the recipe says, however often it is tried. The reason is for its author. */
export type RenderOutcome =
  | {
      readonly state: 'rendered';
      readonly path: string;
      readonly sizeBytes: number;
      /** 64 lower-case hexadecimal digits. */
      readonly sha256: string;
    }
  | { readonly state: 'failed'; readonly reason: string };

/** Renders an original into a file in `folder`. @throws any other error, after which it can be tried again */
export type Render = (recipe: Recipe, original: Original, folder: string) => Promise<RenderOutcome>;

export interface RendererOptions {
  /** The program `render-process`, as a file that Node.js runs. */
  readonly programPath: string;
  /** Its environment variables: what Node.js itself needs to run, and no secrets. */
  readonly environment: Readonly<Record<string, string>>;
  /** The time after which a rendition is given up. */
  readonly timeLimitMs: number;
}

/** The heap of the process, without pixels and frames: the index of the longest video takes a third of it. */
const maxHeapMegabytes = 1_024;

/** The largest part of an original in memory while it is copied. */
const rangeBytes = 8 * 1_048_576;

/**
 * Returns a function that renders in a process of its own. Files come from anybody, and decoders have faults: a file that crashes
 * one, or that takes all memory or time, ends that process only. It has no credentials, and its memory is free afterwards.
 */
export function openRenderer(options: RendererOptions): Render {
  return async (recipe, original, folder) => {
    const inputPath = join(folder, 'original');
    const outputPath = join(folder, 'rendition');
    await copyOriginal(original, inputPath);
    const task = { recipe, contentType: original.contentType, inputPath, outputPath };
    const verdict = await runTask(task, folder, options);
    if (verdict.state === 'failed') return verdict;
    const { size } = await stat(outputPath);
    return { state: 'rendered', path: outputPath, sizeBytes: size, sha256: await digestOf(outputPath) };
  };
}

async function copyOriginal({ sizeBytes, readRange }: Original, path: string): Promise<void> {
  await using file = await open(path, 'w');
  for (let first = 0; first < sizeBytes; first += rangeBytes)
    await file.writeFile(await readRange(first, Math.min(sizeBytes, first + rangeBytes) - 1));
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/**
 * Runs a task in a process. A file that takes too much time or memory would do so again. If the process ends with an exit code,
 * the reason is a fault of ours, or of the machine.
 *
 * @throws Error in that case
 */
function runTask(task: RenderTask, folder: string, options: RendererOptions): Promise<RenderVerdict> {
  const { programPath, environment, timeLimitMs } = options;
  const child = fork(programPath, [], {
    cwd: folder,
    env: { ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    killSignal: 'SIGKILL',
    timeout: timeLimitMs,
    execArgv: [`--max-old-space-size=${maxHeapMegabytes}`],
  });
  return new Promise((resolve, reject) => {
    let verdict: RenderVerdict | undefined;
    let complaint = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = `${complaint}${text}`.slice(-maxComplaintCharacters);
    });
    child.on('message', (message: RenderVerdict) => {
      verdict = message;
      // Threads of a decoder would keep it running.
      child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (verdict) resolve(verdict);
      else if (signal)
        resolve({ state: 'failed', reason: 'converting the file takes too much time or memory' });
      else reject(new Error(`the renderer ended with exit code ${code}: ${complaint}`));
    });
    child.send(task);
  });
}

const maxComplaintCharacters = 2_000;
