/*
 * The translation between the fields of Zernio's interface and Herald's, as tables: Zernio's name, Herald's name, and the direction.
 * Zernio's names are those of its SDK, `@zernio/node` 0.2.881 (2026-11).
 */

/** `in`: only in requests. `out`: only in replies. */
export type Direction = 'in' | 'out' | 'both';

/**
 * A field: Zernio's name, Herald's name, and the direction. Zernio's name may be a path, such as `geoRestriction.countries`. A field
 * that is `negated` is true at one exactly if it is false at the other.
 */
export type Name = readonly [theirs: string, ours: string, direction: Direction, negated?: 'negated'];

/** The fields of an account. */
export const accountNames = [
  ['_id', '_id', 'out'],
  ['platform', 'platform', 'out'],
  ['profileId', 'profileId._id', 'out'],
  ['username', 'username', 'out'],
  ['displayName', 'displayName', 'out'],
  ['profilePicture', 'avatarUrl', 'out'],
  ['isActive', 'isActive', 'out'],
  ['enabled', 'isActive', 'out'],
  ['metadata', 'meta', 'out'],
] as const satisfies readonly Name[];

/** The fields of a post. Lists of files and destinations have tables of their own. */
export const postNames = [
  ['_id', '_id', 'out'],
  ['content', 'content', 'both'],
  ['status', 'status', 'out'],
  ['scheduledFor', 'scheduledFor', 'both'],
  ['timezone', 'timezone', 'both'],
  ['publishNow', 'publishNow', 'in'],
  ['isDraft', 'isDraft', 'in'],
  ['dryRun', 'dryRun', 'in'],
  ['metadata', 'metadata', 'both'],
  ['createdAt', 'createdAt', 'out'],
  ['updatedAt', 'updatedAt', 'out'],
] as const satisfies readonly Name[];

/** The fields of a destination: an element of `platforms`. */
export const targetNames = [
  ['platform', 'platform', 'both'],
  ['accountId', 'accountId', 'both'],
  ['customContent', 'customContent', 'both'],
  ['scheduledFor', 'scheduledFor', 'both'],
  ['status', 'status', 'out'],
  ['platformPostId', 'platformPostId', 'out'],
  ['platformPostUrl', 'permalink', 'out'],
  ['publishedAt', 'publishedAt', 'out'],
  ['removedFromPlatformAt', 'removedAt', 'out'],
  ['errorMessage', 'error', 'out'],
] as const satisfies readonly Name[];

/** The fields of a file: an element of `mediaItems` or `customMedia`. */
export const mediaNames = [
  ['type', 'type', 'both'],
  ['url', 'url', 'both'],
  ['filename', 'filename', 'both'],
  ['size', 'sizeBytes', 'both'],
  ['mimeType', 'mimeType', 'both'],
  ['altText', 'altText', 'both'],
] as const satisfies readonly Name[];

/** The options of a destination that have another name or another form, by platform. All others have the same name. */
export const optionNames: Readonly<Record<string, readonly Name[]>> = {
  facebook: [
    ['facebookSettings.draft', 'draft', 'both'],
    ['geoRestriction.countries', 'countries', 'both'],
  ],
  instagram: [['trialParams.graduationStrategy', 'trialReel', 'both']],
  linkedin: [
    ['disableLinkPreview', 'linkPreview', 'both', 'negated'],
    ['reshareUrl', 'reshare', 'both'],
  ],
  threads: [['topic_tag', 'topicTag', 'both']],
  tiktok: [
    ['allowComment', 'disableComment', 'both', 'negated'],
    ['allowDuet', 'disableDuet', 'both', 'negated'],
    ['allowStitch', 'disableStitch', 'both', 'negated'],
    ['brandPartnerPromote', 'brandContentToggle', 'both'],
    ['isBrandOrganicPost', 'brandOrganicToggle', 'both'],
    ['videoMadeWithAi', 'isAigc', 'both'],
  ],
};

/** The fields of a comment automation. */
export const automationNames = [
  ['id', 'id', 'out'],
  ['accountId', 'accountId', 'both'],
  ['platformPostId', 'platformPostId', 'both'],
  ['postId', 'postId', 'both'],
  ['name', 'name', 'both'],
  ['keywords', 'keywords', 'both'],
  ['matchMode', 'matchMode', 'both'],
  ['typoTolerance', 'typoTolerance', 'both'],
  ['dmMessage', 'dmMessage', 'both'],
  ['commentReply', 'commentReply', 'both'],
  ['buttons', 'buttons', 'both'],
  ['followGate', 'followGate', 'both'],
  ['linkTracking', 'trackLinks', 'both'],
  ['isActive', 'isActive', 'both'],
  ['createdAt', 'createdAt', 'out'],
  ['updatedAt', 'updatedAt', 'out'],
] as const satisfies readonly Name[];

/** The fields of a webhook endpoint. Its events have a table of their own. */
export const webhookNames = [
  ['_id', 'id', 'out'],
  ['name', 'description', 'both'],
  ['url', 'url', 'both'],
  ['isActive', 'isActive', 'both'],
] as const satisfies readonly Name[];

/** The types of events to which an endpoint may subscribe. */
export const eventNames = [
  ['post.scheduled', 'post.scheduled'],
  ['post.published', 'post.published'],
  ['post.partial', 'post.partial'],
  ['post.failed', 'post.failed'],
  ['post.platform.published', 'post.target.published'],
  ['post.platform.failed', 'post.target.failed'],
  ['post.platform.deleted', 'post.target.removed'],
  ['account.connected', 'account.connected'],
  ['account.disconnected', 'account.disconnected'],
  // Access that ends by itself is another event here, and the same one there, with another `disconnectionType`.
  ['account.disconnected', 'account.expired'],
  ['comment.received', 'comment.received'],
  ['message.received', 'dm.received'],
  ['webhook.test', 'webhook.test'],
] as const;

type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns Zernio's form of a value: only the fields of the table, without those that are null or absent. */
export function toTheirs(names: readonly Name[], value: Fields): Record<string, unknown> {
  let result: Fields = {};
  for (const [theirs, ours, direction, negated] of names) {
    const found = direction === 'in' ? undefined : valueAt(value, ours);
    if (found !== undefined && found !== null) result = withValue(result, theirs, turned(found, negated));
  }
  return result;
}

/** Returns Herald's form of a value. Fields that are not in the table keep their names: Herald's own rules decide about them. */
export function toOurs(names: readonly Name[], value: Fields): Record<string, unknown> {
  let result: Fields = value;
  let translated: Fields = {};
  for (const [theirs, ours, direction, negated] of names) {
    const found = direction === 'out' ? undefined : valueAt(value, theirs);
    if (found === undefined) continue;
    result = without(result, theirs);
    translated = withValue(translated, ours, turned(found, negated));
  }
  return { ...result, ...translated };
}

/** Returns Zernio's form of options. Unlike {@link toTheirs}, it keeps those that are not in the table. */
export function optionsToTheirs(names: readonly Name[], value: Fields): Record<string, unknown> {
  const reversed = names.map(
    ([theirs, ours, direction, ...negated]): Name => [ours, theirs, direction, ...negated],
  );
  return toOurs(reversed, value);
}

/** Returns the other truth value if the field is negated. What is no truth value stays as it is, so that Herald refuses it. */
const turned = (value: unknown, negated: 'negated' | undefined): unknown =>
  negated && typeof value === 'boolean' ? !value : value;

const own = (value: unknown, name: string): unknown =>
  isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;

function valueAt(value: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>(own, value);
}

function withValue(fields: Fields, path: string, value: unknown): Record<string, unknown> {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...fields, [name]: value };
  const inner = own(fields, name);
  return { ...fields, [name]: withValue(isFields(inner) ? inner : {}, rest.join('.'), value) };
}

/** Returns the fields without the one at the path, and without objects that are empty then. */
function without(fields: Fields, path: string): Record<string, unknown> {
  const [name = '', ...rest] = path.split('.');
  const { [name]: inner, ...others } = fields;
  if (rest.length === 0 || !isFields(inner)) return others;
  const left = without(inner, rest.join('.'));
  return Object.keys(left).length === 0 ? others : { ...fields, [name]: left };
}
