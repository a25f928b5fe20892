import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { minuteMs } from '../../../lib/kernel/clock.ts';
import { BulkStatus, maxBulkPosts } from '../../../lib/posts/bulk/schemas.ts';
import { type ApiAccess, ApiFailure, ask } from './api.ts';
import type { FileRecord } from './records.ts';

/** The result of a line, as the report has it. */
export interface LineResult {
  readonly line: number;
  readonly status: BulkStatus;
  readonly postId: string | null;
  readonly problems: readonly LineProblem[];
  readonly warnings: readonly LineProblem[];
  readonly error?: string;
}

interface LineProblem {
  readonly field: string;
  readonly message: string;
}

export type Counts = Readonly<Record<BulkStatus, number>>;

export interface ImportRun {
  readonly api: ApiAccess;
  readonly isDryRun: boolean;
  /** The beginning of every idempotency key; from the digest of the file. */
  readonly keyPrefix: string;
  /** Stops the import after the request under way. */
  readonly signal: AbortSignal;
  /** Receives the results of each batch, and the number of the file's bytes that are done. The next batch waits for it. */
  readonly report: (results: readonly LineResult[], endByte: number) => Promise<void>;
}

const Problem = z.object({ field: z.string(), message: z.string() });
const Reply = z.object({
  results: z.array(
    z.object({
      status: BulkStatus,
      postId: z.string().nullable(),
      error: z.object({ error: z.string(), code: z.string() }).nullable(),
      idempotencyMismatch: z.boolean(),
      problems: z.array(Problem),
      warnings: z.array(Problem),
    }),
  ),
});
type Result = z.infer<typeof Reply>['results'][number];

/** The maximum size of one request, well below the 6 MB that Lambda accepts. */
const maxBatchBytes = 3_000_000;

/** The number of times that posts are sent again if the service could not create them for a passing reason. */
const maxRounds = 6;

/** The wait for some imports of files to end. */
const roomWaitMs = minuteMs;

/** The number of waits in a row without a post being created. An import of a file fails after half an hour. */
const maxWaits = 60;

interface SentRecord extends FileRecord {
  readonly body: Record<string, unknown>;
}

/**
 * Creates the posts of a file in batches, in the order of the file. Sends a post again if it failed for a passing reason, which
 * is safe because every post has an idempotency key. Waits while the workspace has too many open imports of files.
 *
 * @returns true if the whole file was sent
 * @throws ApiFailure if the API cannot be used
 */
export async function importRecords(run: ImportRun, records: AsyncIterable<FileRecord>): Promise<boolean> {
  let batch: FileRecord[] = [];
  let bytes = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    const results = await sendBatch(run, batch);
    await run.report(results, batch.at(-1)?.endByte ?? 0);
    batch = [];
    bytes = 0;
  };
  for await (const record of records) {
    const size = Buffer.byteLength(JSON.stringify(record.parsed));
    if (batch.length === maxBulkPosts || bytes + size > maxBatchBytes) {
      await flush();
      if (run.signal.aborted) return false;
    }
    batch.push(record);
    bytes += size;
  }
  if (run.signal.aborted) return false;
  await flush();
  return true;
}

async function sendBatch(run: ImportRun, batch: readonly FileRecord[]): Promise<LineResult[]> {
  const results = new Map<FileRecord, LineResult>();
  let open: SentRecord[] = [];
  for (const record of batch) {
    const { line, parsed } = record;
    if (parsed.problem)
      results.set(record, {
        line,
        status: 'invalid',
        postId: null,
        problems: [parsed.problem],
        warnings: [],
      });
    else open.push({ ...record, body: withKey(parsed.body, `${run.keyPrefix}:${line}`) });
  }
  const sources = new Map(batch.map((record) => [record.line, record]));
  for (let rounds = 1, waits = 0; open.length > 0; ) {
    const posts = open.map(({ body }) => body);
    const reply = Reply.parse(
      await ask(run.api, 'POST', '/v1/posts/bulk', { posts, ...(run.isDryRun && { dryRun: true }) }),
    );
    const again: SentRecord[] = [];
    const codes = new Set<string>();
    for (const [index, record] of open.entries()) {
      const result = reply.results[index];
      if (!result) throw new ApiFailure('POST /v1/posts/bulk: the response has too few results');
      const code = result.status === 'failed' ? (result.error?.code ?? '') : '';
      if (code === noRoom ? waits < maxWaits : passing.includes(code) && rounds < maxRounds) {
        again.push(record);
        codes.add(code);
      }
      const source = sources.get(record.line);
      if (source) results.set(source, toLine(record.line, index, result));
    }
    if (codes.has(noRoom)) {
      waits = again.length < open.length ? 1 : waits + 1;
      await waitForRoom(run);
      if (run.signal.aborted) break;
    }
    if (passing.some((code) => codes.has(code))) rounds += 1;
    open = again;
  }
  return batch.flatMap((record) => results.get(record) ?? []);
}

/** Waits for imports of files to end. Returns early if the import is stopped. */
async function waitForRoom({ api, signal }: ImportRun): Promise<void> {
  if (api.wait) await api.wait(roomWaitMs);
  else await delay(roomWaitMs, undefined, { signal }).catch(() => undefined);
}

/** Adds the generated key to a body without one. A key that is null counts as absent at the service, so it is replaced too. */
const withKey = (body: Record<string, unknown>, generated: string) => ({
  ...body,
  idempotencyKey: body['idempotencyKey'] ?? generated,
});

const passing = ['not_started', 'slots_contended', 'unavailable', 'internal'];

/** The code of a post that must wait because too many imports of files are open. */
const noRoom = 'too_many_imports';

const otherBody: LineProblem = {
  field: 'idempotencyKey',
  message: 'was first used with another body: the existing post has that body, not the values of this line',
};

function toLine(
  line: number,
  index: number,
  { status, postId, error, idempotencyMismatch, problems, warnings }: Result,
): LineResult {
  // The report gives the line, so the field's own place is enough.
  const own = ({ field, message }: LineProblem) => ({
    field: field.startsWith(`posts[${index}]`)
      ? field.slice(`posts[${index}]`.length).replace(/^\./, '') || 'line'
      : field,
    message,
  });
  return {
    line,
    status,
    postId,
    problems: [...problems.map(own), ...(idempotencyMismatch ? [otherBody] : [])],
    warnings: warnings.map(own),
    ...(status === 'failed' && error && { error: error.error }),
  };
}

/** The counts before any result. */
export const noCounts: Counts = { created: 0, replayed: 0, valid: 0, invalid: 0, failed: 0 };

export function addCounts(counts: Counts, results: readonly LineResult[]): Counts {
  const sum: Record<BulkStatus, number> = { ...counts };
  for (const { status } of results) sum[status] += 1;
  return sum;
}
