import { type ActorReference, referenceTo } from '../../access/actor.ts';
import type { UnbuiltField } from '../../api-contract/unbuilt-fields.ts';
import type { PlainHttpHosts } from '../../http-client/address-guard/public-url.ts';
import { type FieldProblem, invalidFields, type Report } from '../../kernel/errors.ts';
import { newId as randomId } from '../../kernel/ids.ts';
import { isTimezone } from '../../kernel/time-zone.ts';
import type { RequestedMediaItem, RequestedReference } from '../../media/schemas.ts';
import type { ExternalFile } from '../stored/commit-post.ts';
import { checkChain, type RequestedChainStep, repeatedAccounts } from './check-chain.ts';
import { ReferencedFiles } from './external-files.ts';
import { toEpochMs } from './scheduled-time.ts';
import type { CreatePostBody, PlatformEntry } from './schemas.ts';
import { type RequestedPart, readThread } from './thread.ts';
import { automatic, contradictions } from './timing.ts';

/** A valid create request, before it is compared with stored items. */
export interface PostDraft {
  readonly body: CreatePostBody;
  /** The requested time in epoch milliseconds; absent for a draft without one, and until a slot is chosen. */
  readonly dueMs?: number;
  /** True if a slot must be chosen, for the destinations without their own time. */
  readonly isAuto?: boolean;
  /** If `dueMs` is a chosen slot: the owner of the rhythm that chose it, a key or the panel. */
  readonly autoKeyId?: string;
  /** True if the targets will go live at their times. Otherwise the post is a draft. */
  readonly isScheduled: boolean;
  readonly mediaItems: readonly RequestedReference[];
  readonly cover?: RequestedReference;
  readonly destinations: readonly Destination[];
  /** The steps of the chain, all `waiting`. */
  readonly chain: readonly RequestedChainStep[];
  /** The ids of its tags, if its request does not name them. */
  readonly tagIds?: readonly number[] | undefined;
  /** The files to import, which are stored with the post. */
  readonly imports?: readonly ExternalFile[];
  /** The fields of the request that are not built, although its author meant something by them. */
  readonly unbuilt?: readonly UnbuiltField[];
}

export interface Destination {
  readonly entry: PlatformEntry;
  /** The destination's own time, if it has one. */
  readonly dueMs?: number;
  readonly customMedia?: readonly RequestedReference[];
  /** The parts of its thread after the first. */
  readonly thread?: readonly RequestedPart[];
}

interface ShapeContext {
  readonly workspaceId: string;
  readonly actor: ActorReference;
  readonly mediaBaseUrl: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Hosts of this machine from which files may be imported with plain http. Default: none. */
  readonly plainHttpHosts?: PlainHttpHosts;
  readonly newId?: (now: number) => string;
  /** The fields of the request that are not built. Default: none. */
  readonly unbuilt?: readonly UnbuiltField[];
  /** The tags of the post, if the request does not name any. Default: none. */
  readonly tagIds?: readonly number[] | undefined;
  /** The accounts on which the crossPosts of a changed post already repeat it. */
  readonly repeated?: ReadonlySet<string>;
}

/**
 * Checks everything that needs no stored items: the fields are consistent, times are valid, and media URLs are ours or public.
 * Accepts past times, so that a repeated request is still recognized by its idempotency key.
 *
 * @throws HeraldError `invalid` with every problem
 */
export async function checkShape(
  body: CreatePostBody,
  {
    workspaceId,
    actor,
    mediaBaseUrl,
    now,
    plainHttpHosts = new Set(),
    newId = randomId,
    repeated,
    unbuilt = [],
    tagIds,
  }: ShapeContext,
): Promise<PostDraft> {
  const files = new ReferencedFiles({
    workspaceId,
    mediaBaseUrl,
    plainHttpHosts,
    now,
    uploadedBy: referenceTo(actor),
    newId: () => newId(now),
  });
  const problems: FieldProblem[] = [];
  const report: Report = (field, code, message) => problems.push({ field, code, message });

  const entries = body.platforms ?? [];
  checkDestinations(entries, body, report);
  problems.push(...contradictions(body));
  if (!isTimezone(body.timezone))
    report('timezone', 'field_format', 'must be an IANA time zone, such as Europe/Istanbul');

  const readTime = async (text: string | undefined, field: string): Promise<number | undefined> => {
    if (text === undefined || !isTimezone(body.timezone)) return undefined;
    const epochMs = await toEpochMs(text, body.timezone);
    if (epochMs === undefined && text !== automatic)
      report(field, 'field_format', 'must be an ISO 8601 date and time');
    return epochMs;
  };
  const resolve = (item: RequestedMediaItem, field: string): RequestedReference[] => {
    const reference = files.resolve(item, field);
    if (!('problem' in reference)) return [reference];
    report(reference.field ?? field, reference.code, reference.problem);
    return [];
  };

  const asksForSlot = body.scheduledFor === automatic;
  const ownTime = asksForSlot ? undefined : body.scheduledFor;
  const ownDueMs = body.publishNow ? now : await readTime(ownTime, 'scheduledFor');
  const destinations: Destination[] = [];
  for (const [index, entry] of entries.entries()) {
    const dueMs = await readTime(entry.scheduledFor, `platforms[${index}].scheduledFor`);
    const customMedia = entry.customMedia?.flatMap((item, place) =>
      resolve(item, `platforms[${index}].customMedia[${place}].url`),
    );
    const thread = readThread(entry.platformSpecificData, `platforms[${index}]`, resolve, report);
    destinations.push({
      entry,
      ...(dueMs !== undefined && { dueMs }),
      ...(customMedia && { customMedia }),
      ...(thread.length > 0 && { thread }),
    });
  }
  const dueTimes = destinations.flatMap(({ dueMs }) => dueMs ?? []);
  const isAuto = asksForSlot && dueTimes.length < destinations.length;
  const dueMs = ownDueMs ?? (dueTimes.length > 0 && !isAuto ? Math.min(...dueTimes) : undefined);
  if (ownDueMs === undefined && !isAuto && dueTimes.length > 0 && dueTimes.length < destinations.length) {
    report('scheduledFor', 'field_required', 'is required if some destinations have no time of their own');
  }
  const hasNoTime = body.scheduledFor === undefined && !body.publishNow && dueTimes.length === 0;
  if (body.isDraft === false && hasNoTime)
    report(
      'isDraft',
      'contradictory_fields',
      'cannot be false without a time: send scheduledFor or publishNow',
    );
  const mediaItems = body.mediaItems.flatMap((item, index) => resolve(item, `mediaItems[${index}].url`));
  const [cover] =
    body.coverUrl === undefined ? [] : resolve({ type: 'image', url: body.coverUrl }, 'coverUrl');
  if (body.externalIdUnique && typeof body.externalId !== 'string')
    report('externalIdUnique', 'field_required', 'needs an externalId');
  const chain = checkChain(body.chain, resolve, report);
  for (const { field, code, message } of repeatedAccounts(body, repeated)) report(field, code, message);
  if (problems.length > 0) throw invalidFields(problems);
  return {
    body,
    ...(dueMs !== undefined && { dueMs }),
    isAuto,
    isScheduled: (dueMs !== undefined || isAuto) && !body.isDraft,
    mediaItems,
    ...(cover && { cover }),
    destinations,
    chain,
    ...(files.imports.length > 0 && { imports: files.imports }),
    ...(unbuilt.length > 0 && { unbuilt }),
    ...(body.tags === undefined && tagIds && { tagIds }),
  };
}

function checkDestinations(entries: readonly PlatformEntry[], body: CreatePostBody, report: Report): void {
  if (body.platforms === undefined && !body.isDraft) report('platforms', 'field_required', 'is required');
  if (body.platforms?.length === 0 && !body.isDraft)
    report('platforms', 'field_too_short', 'must name at least one account');
  const seen = new Set<string>();
  for (const [index, { accountId, scheduledFor }] of entries.entries()) {
    if (scheduledFor === automatic)
      report(
        `platforms[${index}].scheduledFor`,
        'field_format',
        'must be a time: auto is only allowed for the whole post',
      );
    if (seen.has(accountId)) report(`platforms[${index}].accountId`, 'field_duplicate', 'is named twice');
    seen.add(accountId);
  }
}
