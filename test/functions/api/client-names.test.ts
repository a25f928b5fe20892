import { beforeAll, describe, expect, it } from 'vitest';
import { namesOf, unknownKeys } from '../../../lib/api-contract/unknown-keys.ts';
import { RequestedMediaItem } from '../../../lib/media/schemas.ts';
import { platformNames } from '../../../lib/platforms/contract/names.ts';
import { sharedOptions } from '../../../lib/platforms/contract/shared-options.ts';
import { optionSchemas } from '../../../lib/platforms/registry/options.ts';
import { broughtNames } from '../../../lib/posts/request/brought-names.ts';
import { CreatePostBody, PlatformEntry } from '../../../lib/posts/request/schemas.ts';
import { PostView } from '../../../lib/posts/view/schemas.ts';
import clients from '../../fixtures/client-names.json' with { type: 'json' };
import { type Call, openApi } from '../../support/api.ts';
import { openWorkspace, storeAccount } from '../../support/builders.ts';

/*
 * `client-names.json` has the names of the parameters with which the clients on npm create a post. To refresh it, unpack the
 * newest version (`npm pack <package>`) and replace the names by the properties of the type, or of the object, in `from`.
 */

/** Parameters that are ignored with a warning, by the reason why nothing goes live that their author did not ask for. */
const harmless: Readonly<Record<string, readonly string[]>> = {
  'of platforms that Herald does not have': [
    ...[
      'bluesky',
      'devto',
      'hashnode',
      'lemmy',
      'listmonk',
      'mastodon',
      'nostr',
      'slack',
      'whop',
      'wordpress',
    ].map((platform) => `${platform}Title`),
    ...['blueskyFirstComment', 'blueskyLinkUrl', 'redditFirstComment', 'xFirstComment', 'xTitle'],
    ...['card_uri', 'community_id', 'direct_message_deep_link', 'flair_id', 'for_super_followers_only'],
    ...['geo_place_id', 'nullcast', 'poll_duration', 'poll_options', 'poll_reply_settings', 'post_url'],
    ...['quote_tweet_id', 'reply_settings', 'share_with_followers', 'subreddit', 'tagged_user_ids'],
    'x_long_text_as_post',
  ],
  'about the request, not about the post': ['asyncUpload', 'async_upload', 'requestId'],
  'fields of that client’s answers': [
    ...['errorCategory', 'errorMessage', 'errorSource', 'isTrialReel', 'platformPostUrl'],
    ...['removedFromPlatformAt', 'trialGraduationStrategy'],
  ],
  'about the file, which is inspected': ['size', 'skip_processing', 'tiktokProcessed'],
  'consents that Herald records otherwise': ['contentPreviewConfirmed', 'expressConsentGiven'],
};
const harmlessNames = new Set(Object.values(harmless).flat());

let call: Call;
let apiKey: string;
const accountIds: Record<string, string> = {};
beforeAll(async () => {
  const api = await openApi();
  ({ call } = api);
  const { context, apiKey: key } = await openWorkspace(api.table);
  apiKey = key;
  for (const platform of platformNames)
    accountIds[platform] = (await storeAccount(api.table, context.workspaceId, { platform })).id;
});

const isPlatform = (place: string): boolean => place in optionSchemas;

/** Returns true if Herald has a field of this name in the place. */
function isField(place: string, name: string): boolean {
  const fields = { post: CreatePostBody, destination: PlatformEntry, file: RequestedMediaItem };
  if (place in fields) return namesOf(fields[place as keyof typeof fields]).includes(name);
  const schema = optionSchemas[place as keyof typeof optionSchemas];
  return schema !== undefined && unknownKeys(schema, { [name]: 1 }).length === 0;
}

function request(place: string, given: object): object {
  const accountId = isPlatform(place) ? accountIds[place] : accountIds['threads'];
  const content = 'Hello';
  const destination = isPlatform(place)
    ? { accountId, platformSpecificData: given }
    : { accountId, ...(place === 'destination' && given) };
  const file = { type: 'image', url: 'https://example.com/a.jpg', ...given };
  return {
    ...(place === 'post' && given),
    content,
    platforms: [destination],
    ...(place === 'file' && { mediaItems: [file] }),
    publishNow: true,
  };
}

const places: Readonly<Record<string, string>> = {
  post: '',
  destination: 'platforms[0].',
  file: 'mediaItems[0].',
};

/** Returns the names in this place that a request which goes live is refused for. */
async function refusedIn(place: string, given: object): Promise<string[]> {
  const answer = await call('validatePost', { apiKey, body: request(place, given) });
  expect(answer.status, answer.text).toBe(200);
  const at = places[place] ?? 'platforms[0].platformSpecificData.';
  return (answer.body['problems'] as { field: string; code: string }[])
    .filter(({ code }) => ['unsupported_field', 'option_not_supported', 'option_unknown'].includes(code))
    .map(({ field }) => field.slice(at.length))
    .sort();
}

describe.each(clients)('$package $version, $from', ({ place, names }) => {
  it('has no parameter that is dropped in silence', async () => {
    const unknown = names.filter((name) => !isField(place, name));
    const isIgnored = (name: string) =>
      harmlessNames.has(name) || isShown(place, name) || (isPlatform(place) && name in sharedOptions);
    const given = Object.fromEntries(unknown.map((name) => [name, 'x']));
    expect(await refusedIn(place, given)).toEqual(unknown.filter((name) => !isIgnored(name)).sort());
  });
});

/** Returns true for a field of our own answers. */
function isShown(place: string, name: string): boolean {
  const shape = place === 'destination' ? PostView.shape.platforms.element.shape : PostView.shape;
  return !isPlatform(place) && place !== 'file' && name in shape;
}

const allOptions = [
  ...new Set(
    Object.values(optionSchemas).flatMap((schema) =>
      Object.keys((schema as unknown as { unwrap(): { shape: object } }).unwrap().shape),
    ),
  ),
].sort();

it.each(['atRoot', 'inEntry'] as const)(
  'every option of a platform is refused in the wrong place: %s',
  (table) => {
    // A post has tags of its own.
    const others = allOptions.filter((name) => !(table === 'atRoot' && name === 'tags'));
    expect(others.filter((name) => !(name in broughtNames[table]))).toEqual([]);
  },
);
