import * as z from 'zod';
import { ErrorBody } from '../../api-contract/error-body.ts';
import { bringNames } from '../../api-contract/unbuilt-fields.ts';
import { namesOfSource } from '../../kernel/brought-names.ts';
import { broughtNames } from '../request/brought-names.ts';
import { CreatePostBody } from '../request/schemas.ts';
import { PostFinding, PostView } from '../view/schemas.ts';

/** Limits for one request. */
export const maxBulkPosts = 100;

/** Each post is parsed by itself, so that a malformed one does not stop the others. */
const AnyPost = z.unknown().meta({
  override: { $ref: '#/components/schemas/CreatePost' },
});

const CreatePosts = z
  .object({
    posts: z
      .array(AnyPost)
      .min(1)
      .max(maxBulkPosts)
      .meta({ description: 'Each as in the request to create one post' }),
    dryRun: z.boolean().optional().meta({
      description: 'Only check the posts, as `POST /v1/posts/validate` does, and store nothing',
    }),
  })
  .meta({ id: 'CreatePosts' });
/** The body of a bulk. Fields of posts are refused beside them: each post needs its own. */
export const CreatePostsBody = bringNames(CreatePosts, {
  ...broughtNames.atRoot,
  ...namesOfSource('fields of each post', Object.keys(CreatePostBody.shape)),
});
export type CreatePostsBody = z.infer<typeof CreatePostsBody>;

export const BulkStatus = z.enum(['created', 'replayed', 'valid', 'invalid', 'failed']).meta({
  description: [
    'The outcome of the post:',
    '- `created` It is stored.',
    '- `replayed` Its idempotency key was used before; `post` is the existing post.',
    '- `valid` Only with `dryRun`: nothing is wrong with it.',
    '- `invalid` It is refused, and `problems` says why. Nothing of it is stored.',
    '- `failed` It was not created for another reason, which `error` gives.',
  ].join('\n'),
});
export type BulkStatus = z.infer<typeof BulkStatus>;

/** The error of one post. The description of its code is at `/docs/errors/{code}`. */
const BulkError = ErrorBody.omit({ docUrl: true, details: true }).meta({ id: 'BulkError' });

export const BulkResult = z
  .object({
    index: z.int().min(0).meta({ description: 'Its index in `posts` of the request' }),
    status: BulkStatus,
    postId: z.uuid().nullable().meta({ description: 'Null if there is no stored post' }),
    post: PostView.nullable().meta({
      description:
        'The stored post. Null if there is none, or if the response would be over 5 MB with it: then read it by `postId`',
    }),
    error: BulkError.nullable().meta({
      description:
        'For an `invalid` or a `failed` post: the error that the request to create this post alone would return, without `details` and `docUrl`',
    }),
    idempotencyMismatch: z.boolean().meta({
      description: 'True for a `replayed` post if its key was first used with another body',
    }),
    problems: z.array(PostFinding).meta({
      description:
        'At most 20 problems of an `invalid` post. Field paths include the index of the post: `posts[3].platforms[0].accountId`',
    }),
    warnings: z.array(PostFinding).meta({
      description: 'At most 20, with fields like those of `problems`',
    }),
  })
  .meta({ id: 'BulkResult' });
export type BulkResult = z.infer<typeof BulkResult>;

const count = (description: string) => z.int().min(0).meta({ description });

export const BulkReply = z.object({
  results: z.array(BulkResult).meta({ description: 'One for each post, in the order of the request' }),
  created: count('Number of posts that were created'),
  replayed: count('Number of posts that existed already'),
  valid: count('Number of posts that could be created; only with `dryRun`'),
  invalid: count('Number of posts that were refused because something in them is wrong'),
  failed: count('Number of posts that were not created for another reason'),
});
export type BulkReply = z.infer<typeof BulkReply>;
