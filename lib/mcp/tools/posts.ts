import * as z from 'zod';
import { FreeForm, Id } from '../../api-contract/fields.ts';
import { minuteMs } from '../../kernel/clock.ts';
import {
  type FieldProblem,
  HeraldError,
  invalidField,
  invalidFields,
  truncate,
} from '../../kernel/errors.ts';
import { platformTitles } from '../../platforms/contract/names.ts';
import {
  listPostsOperation,
  readPostOperation,
  readTimelineOperation,
  removePostOperation,
  retryPostOperation,
} from '../../posts/operations.ts';
import {
  createPostOperation,
  editPostOperation,
  validatePostOperation,
} from '../../posts/request/operations.ts';
import { exactEpochMs } from '../../posts/request/scheduled-time.ts';
import { maxCharacters, maxMediaItems, maxTargets } from '../../posts/request/schemas.ts';
import { TimelineEntryView } from '../../posts/timeline.ts';
import type { PostView } from '../../posts/view/schemas.ts';
import { PostStatus } from '../../targets/state.ts';
import { reads, type ToolPorts, tool } from '../tool.ts';
import {
  Approval,
  ChangedPost,
  Finding,
  ListedPost,
  PostState,
  toDestination,
  toPostState,
} from '../views.ts';

const Content = z.string().max(maxCharacters);
const MediaUrls = z.array(z.string().max(2_048)).max(maxMediaItems);

const Destination = z.strictObject({
  accountId: Id,
  options: FreeForm.optional(),
  content: Content.optional(),
  mediaUrls: MediaUrls.optional(),
});
type Destination = z.infer<typeof Destination>;

const content = {
  content: Content.optional(),
  mediaUrls: MediaUrls.optional().meta({ description: '`mediaUrl` of add_media, or https URLs' }),
  coverUrl: z.string().max(2_048).optional(),
};
const tags = z.array(z.string()).optional();
const destinations = z.array(Destination).min(1).max(maxTargets).meta({
  description: '`options`: see describe_account. `content`, `mediaUrls`: its own',
});
// A local time would be read in the time zone of the post, which the agent does not see.
const isExactTime = (text: string): boolean => exactEpochMs(text) !== undefined;
const when = z
  .string()
  .max(64)
  .refine(
    (text) => ['draft', 'auto', 'now'].includes(text) || isExactTime(text),
    'must be draft, auto, now, or a date and time with an offset, such as 2026-03-01T09:00:00+01:00',
  )
  .meta({ description: '`draft`, `auto` (next free slot), `now`, or a time with an offset' });
const proposedTime = z
  .string()
  .max(64)
  .refine(isExactTime, 'must be a date and time with an offset, such as 2026-03-01T09:00:00+01:00')
  .optional()
  .meta({ description: 'The time of a draft' });

interface AskedPost {
  readonly content?: string | undefined;
  readonly mediaUrls?: readonly string[] | undefined;
  readonly coverUrl?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly destinations?: readonly Destination[] | undefined;
  readonly when?: string | undefined;
  readonly proposedTime?: string | undefined;
}

const toItems = (urls: readonly string[]) => urls.map((url) => ({ url }));
const toUrls = (items: readonly { readonly url: string }[]) => items.map(({ url }) => url);

/** Returns the body of a request of the API. Pure. */
function toBody({ content, mediaUrls, coverUrl, tags, destinations, ...asked }: AskedPost) {
  return {
    content,
    coverUrl,
    tags,
    ...(mediaUrls && { mediaItems: toItems(mediaUrls) }),
    ...(destinations && {
      platforms: destinations.map(({ accountId, options, content, mediaUrls }) => ({
        accountId,
        platformSpecificData: options,
        customContent: content,
        ...(mediaUrls && { customMedia: toItems(mediaUrls) }),
      })),
    }),
    ...timeOf(asked),
  };
}

/** @throws HeraldError `contradictory_fields` for a suggested time of a post that is no draft */
function timeOf({ when, proposedTime }: Pick<AskedPost, 'when' | 'proposedTime'>) {
  if (proposedTime !== undefined && when !== 'draft')
    throw invalidField('proposedTime', 'is only for `when: draft`', 'contradictory_fields');
  switch (when) {
    case undefined:
      return {};
    case 'draft':
      return { isDraft: true, scheduledFor: proposedTime };
    case 'now':
      return { publishNow: true };
    default:
      return { scheduledFor: when };
  }
}

const names: Readonly<Record<string, string>> = {
  platforms: 'destinations',
  platformSpecificData: 'options',
  customContent: 'content',
  customMedia: 'mediaUrls',
  mediaItems: 'mediaUrls',
  scheduledFor: 'when',
  publishNow: 'when',
  isDraft: 'when',
};

/** Returns the name that the tools have for a field of a post's request: `mediaUrls[0]` for `mediaItems[0].url`. */
export const postField = (field: string): string =>
  field
    .replace(/^\w+/, (name) => names[name] ?? name)
    .replace(/(?<=^destinations\[\d+\]\.)\w+/, (name) => names[name] ?? name)
    .replace(/((?:^|\.)mediaUrls\[\d+\])\.url$/, '$1');

const inWords = (findings: readonly Finding[]): string[] =>
  findings.map(({ field, message }) => `${postField(field)}: ${message}`);

const toFindings = (findings: readonly Finding[]): Finding[] =>
  findings.map(({ accountId, field, code, message }) => ({
    ...{ accountId, code, message },
    field: postField(field),
  }));

const StoredPost = ChangedPost.extend({ warnings: z.array(z.string()) });
/** `openWorldHint`: what it schedules goes to the platforms. */
const writes = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
} as const;

interface Foreseen {
  readonly post: PostView;
  readonly problems: readonly (Finding & FieldProblem)[];
}

const maxQuestionLines = 10;

/** A time that is so near that nobody would stop the post before. */
const soonMs = 5 * minuteMs;

/**
 * Returns the question before a post goes live: what each destination gets, because its own text may differ from that of the post.
 *
 * @param now epoch milliseconds
 * @returns `undefined` if nothing of it goes live soon
 * @throws HeraldError if it could not go live
 */
function publishQuestion({ post, problems }: Foreseen, now: number): string | undefined {
  if (problems.length > 0) throw invalidFields(problems);
  const soon = post.platforms.filter(
    ({ status, scheduledFor }) =>
      (status === 'scheduled' || status === 'publishing') &&
      scheduledFor !== null &&
      Date.parse(scheduledFor) - now < soonMs,
  );
  const [first] = soon.flatMap(({ scheduledFor }) => scheduledFor ?? []).toSorted();
  if (first === undefined) return undefined;
  const lines = soon.map(({ platform, customContent, customMedia, platformSpecificData }) => {
    const text = truncate(customContent ?? post.content, 280);
    const files = (customMedia ?? post.mediaItems).length;
    const options = truncate(JSON.stringify(platformSpecificData), 280);
    return [
      `${platformTitles[platform]}: “${text}”`,
      ...(files === 0 ? [] : [`files: ${files}`]),
      // Some are public, such as a first comment or the parts of a thread.
      ...(options === '{}' ? [] : [`options: ${options}`]),
    ].join(', ');
  });
  const counted = [...Map.groupBy(lines, (line) => line)].map(([line, { length }]) =>
    length === 1 ? line : `${line}, accounts: ${length}`,
  );
  const more = counted.length > maxQuestionLines ? [`and ${counted.length - maxQuestionLines} more`] : [];
  return [
    `Publish ${Date.parse(first) <= now ? 'now' : `at ${first}`}?`,
    ...counted.slice(0, maxQuestionLines),
    ...more,
  ].join('\n');
}

/** Asks the person about a request if something goes live at once, or nearly so. Only a dry run knows the time of a slot. */
async function confirmPublishing(
  { confirm, now }: ToolPorts,
  when: string | undefined,
  foresee: () => Promise<unknown>,
): Promise<void> {
  const atMs = when === undefined ? undefined : exactEpochMs(when);
  if (when === 'draft' || (atMs !== undefined && atMs - now >= soonMs)) return;
  await confirm({ prepare: async () => publishQuestion((await foresee()) as Foreseen, now) });
}

export const checkPost = tool({
  name: 'check_post',
  title: 'Check a post',
  description: 'Checks a post by the rules of its platforms; stores nothing.',
  effects: { ...reads, openWorldHint: true },
  input: z.strictObject({ ...content, destinations, when: when.default('draft') }),
  output: z.object({
    valid: z.boolean(),
    problems: z.array(Finding),
    warnings: z.array(z.string()),
  }),
  operations: [validatePostOperation],
  fieldName: postField,
  run: async ({ call }, input) => {
    const { valid, problems, warnings } = await call(validatePostOperation, { body: toBody(input) });
    return { valid, problems: toFindings(problems), warnings: inWords(warnings) };
  },
});

const keyOfAnother =
  'idempotencyKey: it was used before, for another request. This is the post of that one, and nothing was created. Use a new key for another post';

export const createPost = tool({
  name: 'create_post',
  title: 'Create a post',
  description:
    'Creates a post for one or more accounts. One `idempotencyKey` per intended post: a repeat creates nothing twice. `now` only if the user asked.',
  effects: writes,
  input: z.strictObject({
    ...content,
    destinations,
    when,
    proposedTime,
    tags,
    idempotencyKey: z.string().min(1).max(255),
    externalId: z.string().min(1).max(255).optional().meta({ description: 'Your id for it' }),
  }),
  output: StoredPost.extend({ existed: z.boolean() }),
  operations: [createPostOperation],
  fieldName: postField,
  run: async (ports, { idempotencyKey, externalId, ...asked }) => {
    const body = { ...toBody(asked), idempotencyKey, externalId };
    await confirmPublishing(ports, asked.when, () =>
      ports.call(createPostOperation, { body: { ...body, dryRun: true } }),
    );
    const created = await ports.call(createPostOperation, { body });
    const isMismatch = 'existingPost' in created && created.idempotencyMismatch;
    return {
      ...toPostState(created.post),
      warnings: [...(isMismatch ? [keyOfAnother] : []), ...inWords(created.warnings)],
      existed: 'existingPost' in created,
    };
  },
});

export const changePost = tool({
  name: 'change_post',
  title: 'Change a post',
  description:
    'Changes a draft or a post that waits. Absent fields stay; lists replace what get_post shows. A draft stays one until `when` says otherwise.',
  effects: writes,
  input: z.strictObject({
    postId: Id,
    ...content,
    destinations: destinations.optional(),
    when: when.optional(),
    proposedTime,
    tags,
  }),
  output: StoredPost,
  operations: [editPostOperation],
  fieldName: postField,
  run: async (ports, { postId, ...asked }) => {
    const edit = (body: object) =>
      ports.call(editPostOperation, { path: { id: postId }, body }).catch(refuseToDecide);
    const body = toBody(asked);
    await confirmPublishing(ports, asked.when, () => edit({ ...body, dryRun: true }));
    const { post, warnings } = await edit(body);
    return { ...toPostState(post), warnings: inWords(warnings) };
  },
});

/** Replaces the demand for a version, which the tools cannot send: no agent decides about what another one proposes. */
function refuseToDecide(error: unknown): never {
  if (error instanceof HeraldError && error.param === 'ifVersion')
    throw new HeraldError(
      'conflict',
      'when: the draft was proposed to a person, who decides about it in the panel. Leave `when` out to change it',
      { param: 'when', cause: error },
    );
  throw error;
}

export const retryPost = tool({
  name: 'retry_post',
  title: 'Retry a post',
  description:
    'Publishes failed destinations again, at once. Helps if `category` is retryable, and after a reconnect. For content, create a corrected post. For unknown, a person looks first.',
  effects: { ...writes, idempotentHint: false },
  input: z.strictObject({ postId: Id }),
  output: ChangedPost,
  operations: [retryPostOperation],
  run: async (ports, { postId }) => {
    const path = { id: postId };
    await confirmPublishing(ports, 'now', () =>
      ports.call(retryPostOperation, { path, body: { dryRun: true } }),
    );
    const { post } = await ports.call(retryPostOperation, { path, body: {} });
    return toPostState(post);
  },
});

export const deletePost = tool({
  name: 'delete_post',
  title: 'Delete a post',
  description: 'Deletes a draft, waiting or failed post. What is live stays.',
  effects: { ...writes, openWorldHint: false },
  input: z.strictObject({ postId: Id }),
  output: z.object({ deleted: z.literal(true) }),
  operations: [removePostOperation],
  run: async ({ call }, { postId }) => {
    await call(removePostOperation, { path: { id: postId } });
    return { deleted: true as const };
  },
});

/** A time and a step of the timeline, of which an agent sees the last ones. */
const Step = TimelineEntryView.pick({ at: true, accountId: true, event: true, reason: true, nextAt: true });
const maxSteps = 50;

/** A destination with all that `destinations` of a change replaces. */
const WholeDestination = PostState.shape.destinations.element.extend({
  options: z.record(z.string(), z.unknown()),
  content: z.string().nullable(),
  mediaUrls: z.array(z.string()).nullable(),
});

export const getPost = tool({
  name: 'get_post',
  title: 'Read a post',
  description:
    'A post and its destinations: `link` once live, `error` with who acts and what helps. `timeline: true` adds what happened.',
  effects: reads,
  input: z.strictObject({ postId: Id, timeline: z.boolean().default(false) }),
  output: PostState.extend({
    content: z.string(),
    tags: z.array(z.string()),
    mediaUrls: z.array(z.string()),
    editable: z.boolean(),
    approval: Approval,
    destinations: z.array(WholeDestination),
    timeline: z.array(Step).optional(),
  }),
  operations: [readPostOperation, readTimelineOperation],
  run: async ({ call }, { postId, timeline: isWithTimeline }) => {
    const path = { id: postId };
    const { post } = await call(readPostOperation, { path });
    const steps = isWithTimeline ? (await call(readTimelineOperation, { path })).timeline : undefined;
    const { content, tags, mediaItems, editable, approval, platforms } = post;
    return {
      ...toPostState(post),
      ...{ content, tags, editable, approval },
      mediaUrls: toUrls(mediaItems),
      destinations: platforms.map((target) => ({
        ...toDestination(target),
        options: target.platformSpecificData,
        content: target.customContent,
        mediaUrls: target.customMedia && toUrls(target.customMedia),
      })),
      ...(steps && {
        timeline: steps
          .slice(-maxSteps)
          .map(({ at, accountId, event, reason, nextAt }) => ({ at, accountId, event, reason, nextAt })),
      }),
    };
  },
});

export const findPosts = tool({
  name: 'find_posts',
  title: 'Find posts',
  description:
    'Lists posts, newest first. `attention`: failed, also in part. `search`: all words. A page may be empty before the last.',
  effects: reads,
  input: z.strictObject({
    attention: z.literal(true).optional(),
    status: z.array(PostStatus).min(1).max(6).optional(),
    search: z.string().optional(),
    accountId: Id.optional(),
    externalId: z.string().max(255).optional(),
    from: z.string().max(64).optional().meta({ description: 'Due then or later' }),
    to: z.string().max(64).optional(),
    limit: z.int().min(1).max(100).default(20),
    cursor: z.string().max(2_000).optional(),
  }),
  output: z.object({
    posts: z.array(ListedPost),
    nextCursor: z.string().nullable(),
  }),
  operations: [listPostsOperation],
  run: async ({ call }, { attention, status, limit, ...query }) => {
    const { posts, nextCursor } = await call(listPostsOperation, {
      query: {
        ...query,
        ...(attention && { attention: 'true' }),
        ...(status && { status: status.join(',') }),
        limit: String(limit),
      },
    });
    return {
      posts: posts.map((post) => ({ ...toPostState(post), content: truncate(post.content, 280) })),
      nextCursor,
    };
  },
});
