import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { finished, pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { isId } from '../../lib/kernel/ids.ts';
import { localApiUrl } from '../local-cloud.ts';
import { type Commands, type ExitCode, type PlainContext, plainCommand } from './command.ts';
import { type ApiAccess, ApiFailure, ask } from './import/api.ts';
import { csvColumns, type FindAccount, readCsv } from './import/csv.ts';
import { FileError, type FileRecord, readNdjson } from './import/records.ts';
import { addCounts, type Counts, importRecords, type LineResult, noCounts } from './import/run.ts';

const columns = Object.entries({ ...csvColumns, 'metadata.<name>': 'a pair of the metadata of the post' });

export const importCommands: Commands = {
  'posts import': plainCommand({
    isRead: false,
    words: { file: {} },
    options: {
      workspace: { value: 'id', summary: 'import only if the key belongs to this workspace' },
      'dry-run': { summary: 'check every line, and create nothing' },
      report: {
        value: 'file',
        summary: 'file for the results, a line of JSON for each post; default: <file>.report.ndjson',
      },
      url: { value: 'URL', summary: 'the API, such as https://api.example.com; default: the local cloud' },
    },
    summary: 'create the posts of a file, .csv or .ndjson, of any size',
    detail: [
      'It uses the API with the key in the environment variable HERALD_API_KEY: limits, permissions and rhythms of that key',
      'apply, and the audit log names it.',
      '',
      'A line of an .ndjson file is the body of POST /v1/posts. A .csv file is in UTF-8 and begins with a row of column names:',
      ...columns.map(([name, description]) => `  ${name.padEnd(16)}${description}`),
      '',
      'Ctrl-C stops after the request under way. Run the same command again to continue: a post that exists is not created',
      'again, as long as the file is unchanged. Correct lines that are wrong in a file of their own. A line whose own',
      'idempotencyKey was first used with another body does not succeed: the existing post stays as it is.',
      'Exit codes: 0 if every line succeeded, 1 if some did not, 2 if the import could not run or was stopped.',
    ].join('\n'),
    runPlain: async (context, { file }, options) => {
      try {
        return await importFile(context, file, options);
      } catch (error) {
        if (!isExpected(error)) throw error;
        context.out.note(error.message);
        return 2;
      }
    },
  }),
};

const isExpected = (error: unknown): error is Error =>
  error instanceof ApiFailure || error instanceof FileError || isFileProblem(error);

const isFileProblem = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && 'path' in error;

interface ImportOptions {
  readonly workspace: string | undefined;
  readonly url: string | undefined;
  readonly report: string | undefined;
  readonly 'dry-run': boolean;
}

async function importFile(
  { stage, out, shell }: PlainContext,
  file: string,
  { workspace, url, report = `${file}.report.ndjson`, 'dry-run': isDryRun }: ImportOptions,
): Promise<ExitCode> {
  const apiKey = shell.env['HERALD_API_KEY'];
  if (!apiKey) throw new FileError('HERALD_API_KEY is missing: it must contain an API key of the workspace.');
  if (stage !== undefined && url === undefined)
    throw new FileError('--stage is not enough: give the URL of its API with --url.');
  const { size } = await stat(file);
  await requireAnotherFile(file, report);
  const api: ApiAccess = { url: (url ?? (await localApiUrl())).replace(/\/+$/, ''), apiKey };
  if (workspace !== undefined) await requireWorkspace(api, workspace);
  const records = await open(api, file);
  const keyPrefix = `import:${(await digestOf(file)).slice(0, 32)}`;

  const stopped = new AbortController();
  const stop = () => stopped.abort();
  shell.once('SIGINT', stop);
  shell.once('SIGTERM', stop);
  const lines = createWriteStream(report);
  await once(lines, 'open');
  const progress = new Progress(shell.stderr, size);
  let counts = noCounts;
  let lastLine = 0;
  let mismatches = 0;
  try {
    const isComplete = await importRecords(
      {
        api,
        isDryRun,
        keyPrefix,
        signal: stopped.signal,
        report: async (results, endByte) => {
          for (const result of results)
            if (!lines.write(`${JSON.stringify(result)}\n`)) await once(lines, 'drain');
          counts = addCounts(counts, results);
          mismatches += results.filter(isMismatch).length;
          lastLine = results.at(-1)?.line ?? lastLine;
          progress.show(counts, endByte);
        },
      },
      records,
    );
    progress.end();
    out.result({ ...counts, report }, [`${countsText(counts)}. Report: ${report}`]);
    if (!isComplete) {
      out.note(`Stopped after line ${lastLine}. ${howToResume}`);
      return 2;
    }
    if (mismatches > 0)
      out.note(`Not created, because their keys belong to other posts: ${mismatches}. See the report.`);
    return counts.invalid + counts.failed + mismatches === 0 ? 0 : 1;
  } catch (error) {
    progress.end();
    out.note(`Stopped after line ${lastLine} (${countsText(counts)}). ${howToResume}`);
    throw error;
  } finally {
    shell.off('SIGINT', stop);
    shell.off('SIGTERM', stop);
    lines.end();
    await finished(lines);
  }
}

/** Returns true if the line's key was first used for a post with another body. */
const isMismatch = ({ status, problems }: LineResult) => status === 'replayed' && problems.length > 0;

const howToResume = 'Run the same command again to continue: posts that exist are not created again.';

/**
 * Requires a report that is another file than the posts: opening the report empties it.
 *
 * @throws FileError if it is the file of the posts, also by another name or a link
 */
async function requireAnotherFile(file: string, report: string): Promise<void> {
  const source = await stat(file);
  const existing = await stat(report).catch((error: unknown) => {
    // The file does not exist yet; any other problem shows when it is opened.
    if (isFileProblem(error)) return undefined;
    throw error;
  });
  if (existing?.ino === source.ino && existing.dev === source.dev)
    throw new FileError(`--report ${report} is the file of the posts itself: name another file.`);
}

/** @throws FileError if the key belongs to another workspace; ApiFailure */
async function requireWorkspace(api: ApiAccess, id: string): Promise<void> {
  const Reply = z.object({ workspace: z.object({ id: z.string(), name: z.string() }) });
  const { workspace } = Reply.parse(await ask(api, 'GET', '/v1/workspace'));
  if (workspace.id !== id)
    throw new FileError(
      `the key in HERALD_API_KEY belongs to the workspace ${workspace.name} (${workspace.id}).`,
    );
}

async function open(api: ApiAccess, file: string): Promise<AsyncIterable<FileRecord>> {
  if (/\.csv$/i.test(file)) return readCsv(file, accountFinder(await listAccounts(api)));
  if (/\.(ndjson|jsonl)$/i.test(file)) return readNdjson(file);
  throw new FileError(`${file}: the name must end with .csv or .ndjson`);
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

const Accounts = z.object({
  accounts: z.array(z.object({ id: z.string(), platform: z.string(), username: z.string().nullish() })),
});
type ListedAccount = z.infer<typeof Accounts>['accounts'][number];

/** Lists the accounts that the key may use. @throws ApiFailure */
async function listAccounts(api: ApiAccess): Promise<readonly ListedAccount[]> {
  return Accounts.parse(await ask(api, 'GET', '/v1/accounts')).accounts;
}

/** Finds accounts by id or by `platform:username`, ignoring case and an `@` before the name. Pure. */
export function accountFinder(accounts: readonly ListedAccount[]): FindAccount {
  const plain = (text: string) => text.toLowerCase().replace(':@', ':');
  const byName = Map.groupBy(accounts, ({ platform, username }) => plain(`${platform}:${username}`));
  return (name) => {
    // The API checks the id.
    if (isId(name)) return { id: name };
    const [found, ...others] = byName.get(plain(name)) ?? [];
    if (!found) return { problem: `no account "${name}"; GET /v1/accounts lists them` };
    return others.length === 0
      ? { id: found.id }
      : { problem: `several accounts are "${name}": give the id` };
  };
}

/** The output that shows the progress. */
interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const barWidth = 24;
/** The number of the file's lines between two lines of progress, if the output is not a terminal. */
const linesBetween = 1_000;

/**
 * Shows the progress of an import: on a terminal one line that is redrawn, otherwise a line for every thousand lines of the file.
 */
export class Progress {
  readonly #output: ProgressOutput;
  readonly #totalBytes: number;
  #shownLines = 0;

  constructor(output: ProgressOutput, totalBytes: number) {
    this.#output = output;
    this.#totalBytes = totalBytes;
  }

  /** @param doneBytes the part of the file that is done */
  show(counts: Counts, doneBytes: number): void {
    const share = this.#totalBytes === 0 ? 1 : Math.min(1, doneBytes / this.#totalBytes);
    const lines = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const percent = `${Math.floor(share * 100)}%`.padStart(4);
    const text = `${percent}  ${countsText(counts)}`;
    if (this.#output.isTTY) {
      const filled = Math.round(share * barWidth);
      const bar = `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`;
      const line = `${bar}${text}`.slice(0, (this.#output.columns ?? 80) - 1);
      this.#output.write(`\r\u001b[K${line}`);
      return;
    }
    if (lines - this.#shownLines < linesBetween) return;
    this.#shownLines = lines;
    this.#output.write(`${text.trim()}\n`);
  }

  /** Ends the line that is redrawn. */
  end(): void {
    if (this.#output.isTTY) this.#output.write('\n');
  }
}

/** Returns the counts that are not 0, such as `3 created, 1 invalid`. */
function countsText(counts: Counts): string {
  const parts = Object.entries(counts).flatMap(([status, count]) =>
    count === 0 ? [] : [`${count.toLocaleString('en')} ${status}`],
  );
  return parts.join(', ') || 'nothing yet';
}
