import { listAccountsOperation } from '../../accounts/operations.ts';
import { invalidField } from '../../kernel/errors.ts';
import { largestBytes } from '../../media/types.ts';
import { Platform } from '../../platforms/contract/names.ts';
import { validatePostOperation } from '../../posts/request/operations.ts';
import { fieldsOf, ok, type ZernioCall } from '../call.ts';
import { fieldsOfPost, inTheirFields } from '../fields.ts';
import { inspectMediaOperation } from '../inspect-media.ts';
import { isFields } from '../names.ts';
import { toPostBody } from '../posts.ts';
import { requirePlatform } from './accounts.ts';

/** A destination is checked as a post that goes live at an automatic time, which takes no slot. */
const asLive = { scheduledFor: undefined, isDraft: undefined, publishNow: true } as const;

const validatePost: ZernioCall = {
  name: 'validatePost',
  route: 'POST /v1/tools/validate/post',
  operations: [listAccountsOperation, validatePostOperation],
  run: async ({ call, workspaceId }, request) => {
    const body = fieldsOf(request);
    const asked: unknown = body['platforms'];
    if (!Array.isArray(asked))
      throw invalidField('platforms', 'must be a list of { platform }', 'field_type');
    const { accounts } = await call(listAccountsOperation, {});
    const named = asked.map((entry: unknown) => (isFields(entry) ? entry['accountId'] : undefined));
    const free = accounts.filter(({ id }) => !named.includes(id));
    const platforms = asked.map((entry: unknown) => {
      if (!isFields(entry) || typeof entry['platform'] !== 'string' || entry['accountId'] !== undefined)
        return entry;
      const platform = requirePlatform(entry['platform']);
      const index = free.findIndex((each) => each.platform === platform);
      const [account] = index < 0 ? [] : free.splice(index, 1);
      return account ? { ...entry, accountId: account.id } : entry;
    });
    const unconnected = platforms.flatMap((entry: unknown) =>
      isFields(entry) && entry['accountId'] === undefined ? [entry['platform']] : [],
    );
    const indexes = [...platforms.keys()].filter((index) => {
      const entry: unknown = platforms[index];
      return !isFields(entry) || entry['accountId'] !== undefined;
    });
    const checked = indexes.map((index): unknown => platforms[index]);
    const reply =
      checked.length === 0
        ? { valid: true, problems: [], warnings: [] }
        : await inTheirFields(
            call(validatePostOperation, {
              body: { ...toPostBody({ ...body, platforms: checked }, workspaceId), ...asLive },
            }),
            fieldsOfPost(body, indexes),
          );
    const errors = [
      ...reply.problems.map(({ platform, message }) => ({ platform: platform ?? 'all', error: message })),
      ...unconnected.map((platform) => ({
        platform: typeof platform === 'string' ? platform : 'all',
        error: 'no account of this platform is connected, or not as many, so the post cannot be checked',
      })),
    ];
    const warnings = reply.warnings.map(({ platform, message }) => ({
      platform: platform ?? 'all',
      warning: message,
    }));
    if (errors.length > 0) return ok({ valid: false, errors, warnings });
    return ok({ valid: true, message: 'No validation issues found', warnings });
  },
};

/** The longest texts that the platforms take, in characters. */
const longest = {
  facebook: 63_206,
  instagram: 2_200,
  linkedin: 3_000,
  pinterest: 800,
  threads: 500,
  tiktok: 2_200,
  youtube: 5_000,
} as const satisfies Record<Platform, number>;

const validateLength: ZernioCall = {
  name: 'validatePostLength',
  route: 'POST /v1/tools/validate/post-length',
  operations: [],
  run: async (_ports, request) => {
    const { text } = fieldsOf(request);
    if (typeof text !== 'string') throw invalidField('text', 'is required', 'field_required');
    const count = [...text].length;
    const verdict = (platform: Platform) => {
      const limit = longest[platform];
      return [platform, { count, limit, valid: count <= limit }];
    };
    return ok({ text, platforms: Object.fromEntries(Platform.options.map(verdict)) });
  },
};

const validateMedia: ZernioCall = {
  name: 'validateMedia',
  route: 'POST /v1/tools/validate/media',
  operations: [inspectMediaOperation],
  run: async ({ call }, request) => {
    const { url } = fieldsOf(request);
    if (typeof url !== 'string') throw invalidField('url', 'is required', 'field_required');
    const { problem, contentType, sizeBytes, type } = await call(inspectMediaOperation, { body: { url } });
    if (problem !== null) return ok({ valid: false, url, error: problem, type });
    const limit = largestBytes(contentType ?? '');
    const withinLimit = sizeBytes === null || sizeBytes <= limit;
    const platformLimit = { limit, limitFormatted: inMegabytes(limit), withinLimit };
    return ok({
      valid: withinLimit,
      url,
      ...(withinLimit ? {} : { error: `the file has more than ${inMegabytes(limit)}` }),
      ...(contentType !== null && { contentType }),
      size: sizeBytes,
      ...(sizeBytes !== null && { sizeFormatted: inMegabytes(sizeBytes) }),
      type,
      // Herald takes the same sizes for all platforms, and adapts the files.
      platformLimits: Object.fromEntries(Platform.options.map((platform) => [platform, platformLimit])),
    });
  },
};

const inMegabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;

export const checkCalls: readonly ZernioCall[] = [validatePost, validateLength, validateMedia];
