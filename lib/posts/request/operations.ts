import * as z from 'zod';
import { operation } from '../../api-contract/operation.ts';
import type { ApiRights } from '../../api-contract/rights.ts';
import { ById } from '../../api-contract/shapes.ts';
import {
  orDryRun,
  PostAdaptation,
  PostFinding,
  PostLinkCard,
  PostReply,
  ReplayReply,
  StoredPostReply,
} from '../view/schemas.ts';
import { CreatePostBody, DuplicatePostBody, EditPostBody } from './schemas.ts';

/*
 * The operations with requests that describe a post. They are separate from the other operations because loading a module builds
 * its schemas, and these are most of them. Functions that only read posts start faster without them.
 */

const slotContention =
  'With `auto`: too many posts are claiming slots on these accounts at the same time; try again';

const idempotencyHeader = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().meta({
    description: 'Used if the body has no `idempotencyKey`',
  }),
});

const createdReplies = {
  201: { description: 'Created', body: StoredPostReply },
  200: {
    description:
      'This idempotency key was used before: the post that it created. With `dryRun`: what the request would do',
    body: orDryRun(ReplayReply),
  },
} as const;

const creationRefusals = {
  409: 'The idempotency key belongs to a post that the API key may not see; or the request has `externalIdUnique`, and another post has the `externalId`',
  503: slotContention,
} as const;

const creationReads: ApiRights['reads'] = {
  GetItem: ['POST#', 'CALENDAR#', 'WORKSPACE#'],
  BatchGetItem: ['WORKSPACE#', 'MEDIA#', 'IDEMPOTENCY#', 'CALENDAR#', 'POST#'],
  Query: ['POST#', 'CALENDAR#', 'APP-DAY#', 'EXTERNAL#', 'USES#'],
};
const creationPuts = ['POST#', 'CALENDAR#', 'IDEMPOTENCY#', 'USES#', 'CHORE#', 'EXTERNAL#'] as const;
const creationRemovals = { DeleteItem: ['CALENDAR#'], BatchWriteItem: ['USES#'] } as const;

/** The rights of every function that creates posts from requests, which may name files to import. */
export const creationRights: ApiRights = {
  reads: creationReads,
  writes: {
    PutItem: [...creationPuts, 'MEDIA#'],
    // The workspace counts its open imports, and has the tags.
    UpdateItem: ['CALENDAR#', 'WORKSPACE#'],
    ...creationRemovals,
  },
};

/** The rights to duplicate a post. A duplicate has the files of its post, and imports none. */
const duplicationRights: ApiRights = {
  reads: creationReads,
  writes: { PutItem: creationPuts, UpdateItem: ['CALENDAR#'], ...creationRemovals },
};

export const createPostOperation = operation({
  id: 'createPost',
  handler: 'posts/create',
  verb: 'post.create',
  method: 'POST',
  path: '/v1/posts',
  summary: 'Create a post: a draft, or scheduled',
  description:
    'Without `scheduledFor` (and without `publishNow`) the post is a draft, and with `isDraft: true` it is one that keeps its time. With `auto` it is `scheduled` for the earliest slot that fits the rhythms of its accounts; if none is free within 90 days, the reply is 400. A repeated `idempotencyKey` creates nothing: the reply is 200 with the existing post, and `idempotencyMismatch` says whether the body was another one.',
  headers: idempotencyHeader,
  body: CreatePostBody,
  describes: PostReply,
  replies: createdReplies,
  refusals: creationRefusals,
  rights: creationRights,
  settings: ['MEDIA_BASE_URL', 'PLATFORM_FEATURES', 'DAILY_LIMITS', 'PLAIN_HTTP_HOSTS'],
  // If many requests claim slots on one account, each may have to retry.
  timeoutSeconds: 29,
});

export const duplicatePostOperation = operation({
  handler: 'posts/duplicate',
  id: 'duplicatePost',
  verb: 'post.create',
  method: 'POST',
  path: '/v1/posts/{id}/duplicate',
  summary: 'Create a post like another one',
  description:
    'The duplicate has the content, media, cover, destinations with all their fields and options, chain, `tags` and `metadata` of the post, whatever the status of that post. It is a draft without times, unless the request says otherwise, and has no `externalId`. All checks of a new post apply: if a file or an account of the post is gone, the reply is 400 and names the field of the post, such as `mediaItems[0].url`. A repeated `idempotencyKey` creates nothing, as in the request to create a post.',
  pathParameters: ById,
  headers: idempotencyHeader,
  body: DuplicatePostBody.default({}),
  describes: PostReply,
  replies: createdReplies,
  refusals: { 404: 'No such post in this workspace that the key may see', ...creationRefusals },
  rights: duplicationRights,
  settings: ['MEDIA_BASE_URL', 'PLATFORM_FEATURES', 'DAILY_LIMITS', 'PLAIN_HTTP_HOSTS'],
  timeoutSeconds: 29,
});

export const validatePostOperation = operation({
  id: 'validatePost',
  handler: 'posts/validate',
  verb: 'post.validate',
  method: 'POST',
  path: '/v1/posts/validate',
  summary: "Check a post against every platform's rules; nothing is stored",
  description:
    'Takes the request that would create the post. A post with problems gets 200 with `valid: false`, not an error.',
  body: CreatePostBody,
  describes: PostReply,
  replies: {
    200: {
      description: 'All problems and warnings, together',
      body: z.object({
        valid: z.boolean().meta({ description: 'True if there are no problems' }),
        problems: z.array(PostFinding).meta({ description: 'Reasons why the post could not be published' }),
        warnings: z.array(PostFinding).meta({
          description: 'Possible problems, although the post can be published, and ignored fields',
        }),
        adaptations: z.array(PostAdaptation).meta({
          description: 'Files that destinations get in another form',
        }),
        linkCards: z.array(PostLinkCard).meta({
          description: 'Cards that platforms show below the texts of destinations',
        }),
      }),
    },
  },
  rights: {
    reads: {
      GetItem: ['CALENDAR#'],
      BatchGetItem: ['WORKSPACE#', 'MEDIA#', 'CALENDAR#', 'POST#'],
      Query: ['CALENDAR#', 'APP-DAY#', 'USES#'],
    },
  },
  settings: ['MEDIA_BASE_URL', 'PLATFORM_FEATURES', 'DAILY_LIMITS', 'PLAIN_HTTP_HOSTS'],
  // Pages of links may be slow.
  timeoutSeconds: 29,
});

export const editPostOperation = operation({
  id: 'updatePost',
  handler: 'posts/edit',
  verb: 'post.edit',
  method: 'PATCH',
  path: '/v1/posts/{id}',
  summary: 'Change a draft or a scheduled post',
  description:
    'Possible until the call that makes a destination live; a change of nothing but `tags` always is. Absent fields keep their values. A draft stays a draft, and keeps its time, until the request gives it a time, `publishNow` or `isDraft: false`.',
  pathParameters: ById,
  body: EditPostBody,
  describes: PostReply,
  replies: { 200: { description: 'The post after the change', body: orDryRun(StoredPostReply) } },
  refusals: {
    404: 'No such post in this workspace that the key may see',
    409: 'A destination is being published, is live, or has failed after something was sent for it; or the post claims its `externalId`, and another post has it',
    503: slotContention,
  },
  rights: {
    reads: {
      GetItem: ['POST#', 'CALENDAR#', 'WORKSPACE#'],
      BatchGetItem: ['WORKSPACE#', 'MEDIA#', 'CALENDAR#', 'POST#'],
      Query: ['POST#', 'CALENDAR#', 'APP-DAY#', 'EXTERNAL#', 'USES#'],
      ConditionCheckItem: ['POST#'],
    },
    writes: {
      PutItem: ['POST#', 'CALENDAR#', 'USES#', 'CHORE#', 'EXTERNAL#', 'MEDIA#'],
      UpdateItem: ['CALENDAR#', 'WORKSPACE#', 'POST#'],
      DeleteItem: ['POST#', 'CALENDAR#', 'EXTERNAL#'],
      BatchWriteItem: ['USES#'],
    },
  },
  settings: ['MEDIA_BASE_URL', 'PLATFORM_FEATURES', 'DAILY_LIMITS', 'PLAIN_HTTP_HOSTS'],
  timeoutSeconds: 29,
});
