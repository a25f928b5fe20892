import { type FieldProblem, type HeraldError, invalidFields, shorten } from '../../kernel/errors.ts';
import type { TagsOf } from '../../tags/workspace-tags.ts';
import type { CreatedPost } from '../create.ts';
import type { PlanProblem } from '../planning/problems.ts';
import type { Validation } from '../validate.ts';
import type { PostFinding } from '../view/schemas.ts';
import { toPostView } from '../view/to-view.ts';
import type { PostResult } from './create-posts.ts';
import { type BulkReply, type BulkResult, BulkStatus } from './schemas.ts';

/**
 * The maximum size of a reply. Lambda returns at most 6 MB:
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html. The rest is reserved for escaping the JSON again in
 * Lambda's own response.
 */
export const maxReplyBytes = 5_000_000;

const maxFindings = 20;

/** Converts the results of created posts to the API's form. @param tags finds the names of their tags */
export function toCreatedReply(
  results: readonly PostResult<CreatedPost>[],
  mediaBaseUrl: string,
  tags?: TagsOf,
): BulkReply {
  const shown = results.map((result, index): BulkResult => {
    if (result.state === 'refused') return toRefused(index, result.error);
    const { post, replayed, isMismatch, warnings } = result.done;
    return {
      ...empty(index),
      status: replayed ? 'replayed' : 'created',
      postId: post.id,
      idempotencyMismatch: isMismatch,
      warnings: toFindings(index, [...result.ignored, ...warnings]),
    };
  });
  // A replay of large posts may not fit, so posts are added while they do.
  let bytes = Buffer.byteLength(JSON.stringify(shown));
  return toReply(
    shown.map((each, index) => {
      const result = results[index];
      if (result?.state !== 'done') return each;
      const post = toPostView(result.done.post, mediaBaseUrl, result.done.targets, tags);
      const postBytes = Buffer.byteLength(JSON.stringify(post));
      if (bytes + postBytes > maxReplyBytes) return each;
      bytes += postBytes;
      return { ...each, post };
    }),
  );
}

/** Converts the results of a dry run to the API's form. */
export function toValidatedReply(results: readonly PostResult<Validation>[]): BulkReply {
  return toReply(
    results.map((result, index): BulkResult => {
      if (result.state === 'refused') return toRefused(index, result.error);
      const { problems, warnings } = result.done;
      const found = { ...empty(index), warnings: toFindings(index, [...result.ignored, ...warnings]) };
      if (problems.length === 0) return { ...found, status: 'valid' };
      return { ...toRefused(index, invalidFields(problems)), warnings: found.warnings };
    }),
  );
}

function toReply(results: readonly BulkResult[]): BulkReply {
  const count = (status: BulkStatus) => results.filter((result) => result.status === status).length;
  const counts = Object.fromEntries(BulkStatus.options.map((status) => [status, count(status)]));
  return { results: [...results], ...(counts as Record<BulkStatus, number>) };
}

const empty = (index: number): Omit<BulkResult, 'status'> => ({
  index,
  postId: null,
  post: null,
  error: null,
  idempotencyMismatch: false,
  problems: [],
  warnings: [],
});

function toRefused(index: number, error: HeraldError): BulkResult {
  const isInvalid = error.kind === 'invalid';
  const { code, message, param } = error;
  return {
    ...empty(index),
    status: isInvalid ? 'invalid' : 'failed',
    error: {
      error: message,
      code,
      // The message of an error about a field begins with the field.
      ...(param !== undefined && {
        param: placed(index, param),
        error: `${placed(index, param)}${message.slice(message.startsWith(param) ? param.length : 0)}`,
      }),
    },
    problems: isInvalid ? toFindings(index, error.problems) : [],
  };
}

function toFindings(index: number, findings: readonly (PlanProblem | FieldProblem)[]): PostFinding[] {
  return findings.slice(0, maxFindings).map((finding) => {
    const short = shorten(finding);
    return {
      accountId: null,
      platform: null,
      code: 'invalid',
      ...short,
      field: placed(index, short.field),
    };
  });
}

/** Returns the path of a post's field in the bulk. The parser calls the whole post `body`. */
const placed = (index: number, field: string): string =>
  field === 'body' ? `posts[${index}]` : `posts[${index}].${field}`;
