import type { RequestWarning } from '../../api-contract/request-warnings.ts';
import { type UnbuiltField, unbuiltProblem } from '../../api-contract/unbuilt-fields.ts';
import { sharedDays } from '../../daily-limits/shared-days.ts';
import { mapInBatches } from '../../kernel/batches.ts';
import { HeraldError, invalidField, invalidFields } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { SharedCalendars } from '../../rhythm/choose-slot.ts';
import { batchGet } from '../../table/batch-get.ts';
import type { FoundItems } from '../../table/found-items.ts';
import { type CreatedPost, createReadPost, idempotencyDigest, type PostsContext } from '../create.ts';
import { bodyDigestOf } from '../request/body-digest.ts';
import { checkShape } from '../request/check-shape.ts';
import { referencesIn, requestKeys, withoutHiddenFiles } from '../request/references.ts';
import type { CreatePostBody } from '../request/schemas.ts';
import { type Validation, validateReadPost } from '../validate.ts';
import { inStages, type PlacedRequest } from './order.ts';

export interface BulkContext extends PostsContext {
  /** Parses one post in the same way as a request to create it. @throws HeraldError `invalid`, `unsupported_field` */
  readonly parse: (item: unknown) => {
    readonly body: CreatePostBody;
    readonly warnings: readonly RequestWarning[];
    readonly unbuilt: readonly UnbuiltField[];
  };
  /** Returns epoch milliseconds; advances while the posts are created. */
  readonly clock: () => number;
  /** Epoch milliseconds. No post is begun after this. */
  readonly untilMs: number;
  /** Reports an error that is not a {@link HeraldError}. The post's result only says that it failed. */
  readonly reportFailure: (index: number, error: unknown) => void;
}

/** The outcome of one post. */
export type PostResult<Done> =
  | {
      readonly state: 'done';
      readonly done: Done;
      /** The parts of the request that have no effect. */
      readonly ignored: readonly RequestWarning[];
    }
  /** Nothing of it is stored: the post is wrong, something prevents it, or there was no time for it. */
  | { readonly state: 'refused'; readonly error: HeraldError };

/** The data that identifies a repeated request as the same one. Each post has its own key. */
export interface BulkIdempotency {
  /** The key in the request's header. A post without its own key has `<key>:<index>`. */
  readonly idempotencyKey?: string | undefined;
  readonly requestId?: string | undefined;
}

const concurrency = 8;

/**
 * Creates posts, each as {@link createPost} does and independently: a refused post does not stop the others. Reads everything to
 * which the posts refer in batches of 100 items, and each calendar and each day of a limit once; after that, a post takes one
 * transaction. If the request is repeated after a crash, posts with a key that exist are replayed, and the others are created.
 *
 * @param items the posts as sent
 * @returns a result for each post, in order
 * @throws HeraldError `unsupported_field` if a post goes live and the request has a field beside them that is not built
 */
export async function createPosts(
  context: BulkContext,
  items: readonly unknown[],
  idempotency: BulkIdempotency,
): Promise<PostResult<CreatedPost>[]> {
  const calendars = new SharedCalendars();
  const shared: BulkContext = {
    ...context,
    days: sharedDays(),
    chooseSlot: (each, request) => calendars.chooseSlot(each, request),
    mayWait: () => context.clock() < context.untilMs,
  };
  // Posts created in the same millisecond count on days of limits by their ids, so these must grow in the order of creation.
  const ids = items.map(() => (context.newId ?? newId)(context.now)).toSorted();
  return workEach(shared, items, idempotency, async (request, found) => {
    const references = referencesIn(context, found, request.digest);
    const id = ids.shift();
    const one = id === undefined ? shared : { ...shared, newId: () => id };
    const created = await createReadPost(one, { ...request, ...references });
    if (!created.replayed) calendars.take(created.post.id, timesOf(created));
    return created;
  });
}

/**
 * Returns the findings that {@link createPosts} would have for each post. Stores nothing, and does not look at its idempotency
 * key.
 */
export async function validatePosts(
  context: BulkContext,
  items: readonly unknown[],
): Promise<PostResult<Validation>[]> {
  const calendars = new SharedCalendars();
  const shared: BulkContext = {
    ...context,
    days: sharedDays(),
    chooseSlot: (each, request) => calendars.chooseSlot(each, request),
  };
  return workEach(shared, items, {}, ({ draft }, found) => validateReadPost(shared, draft, found));
}

async function workEach<Done>(
  context: BulkContext,
  items: readonly unknown[],
  idempotency: BulkIdempotency,
  work: (request: PlacedRequest, found: FoundItems) => Promise<Done>,
): Promise<PostResult<Done>[]> {
  const results = new Map<number, PostResult<Done>>();
  const attempt = async <Value>(index: number, run: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await run();
    } catch (error) {
      results.set(index, { state: 'refused', error: refusalOf(context, index, error) });
      return undefined;
    }
  };

  const requests: ParsedRequest[] = [];
  for (const [index, item] of items.entries()) {
    const request = await attempt(index, () => readRequest(context, item, index, idempotency));
    if (request) requests.push(request);
  }
  // A field beside the posts is about all of them.
  const { unbuilt = [] } = context;
  if (unbuilt.length > 0 && requests.some(({ draft }) => draft.isScheduled))
    throw invalidFields(unbuilt.map(unbuiltProblem));
  const found = await withoutHiddenFiles(
    context,
    requests.map(({ draft }) => draft),
    await batchGet(
      context.table,
      requests.flatMap(({ draft, digest }) => requestKeys(context, draft, digest)),
    ),
  );
  for (const lanes of inStages(requests)) {
    await mapInBatches(lanes, concurrency, async (lane) => {
      for (const request of lane) {
        const done = await attempt(request.index, async () => {
          if (context.clock() >= context.untilMs) throw notStarted();
          return work(request, found);
        });
        if (done) results.set(request.index, { state: 'done', done, ignored: request.ignored });
      }
    });
  }
  return items.map((_, index) => results.get(index) ?? { state: 'refused', error: notStarted() });
}

interface ParsedRequest extends PlacedRequest {
  readonly ignored: readonly RequestWarning[];
}

async function readRequest(
  context: BulkContext,
  item: unknown,
  index: number,
  { idempotencyKey, requestId }: BulkIdempotency,
): Promise<ParsedRequest> {
  // As sent: parsing removes values that count as absent.
  const rawBody = JSON.stringify(item);
  const { body, warnings, unbuilt } = context.parse(item);
  if (body.dryRun) throw invalidField('dryRun', 'is for all posts of the request: send it beside posts');
  const draft = await checkShape(body, { ...context, unbuilt });
  const digest = idempotencyDigest(context.actor, body.idempotencyKey, {
    idempotencyKey: idempotencyKey && `${idempotencyKey}:${index}`,
    requestId: requestId && `${requestId}:${index}`,
    rawBody,
  });
  const bodyDigest = digest === undefined ? undefined : bodyDigestOf(rawBody);
  return { index, draft, digest, bodyDigest, ignored: warnings };
}

function refusalOf(context: BulkContext, index: number, error: unknown): HeraldError {
  if (error instanceof HeraldError) return error;
  context.reportFailure(index, error);
  return new HeraldError('internal', 'something went wrong on our side; send the post again');
}

const notStarted = (): HeraldError =>
  new HeraldError('not_started', 'the time of the request was over before this post; send it again', {
    retryAfterSeconds: 1,
  });

function timesOf({ targets }: CreatedPost) {
  return targets.flatMap(({ workspaceId, postId, accountId, status, scheduledFor, autoKeyId }) =>
    status === 'scheduled' && scheduledFor !== undefined
      ? [{ workspaceId, postId, accountId, scheduledFor, autoKeyId }]
      : [],
  );
}
