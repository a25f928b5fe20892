import * as z from 'zod';
import { refuse } from './errors.ts';
import { type LittleText, readLittleText } from './little-text.ts';

/** The request that creates a post ("Posts API"). */
const Media = z.object({
  id: z.string(),
  title: z.string().optional(),
  altText: z.string().max(4_086).optional(),
});
/** The part of an audience that the service uses: https://learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api */
const TargetEntity = z.strictObject({
  geoLocations: z.array(z.string().regex(/^urn:li:geo:\d+$/)).min(1),
});
const PostRequest = z.object({
  author: z.string(),
  commentary: z.string(),
  visibility: z.enum(['PUBLIC', 'CONNECTIONS', 'LOGGED_IN']),
  distribution: z.object({
    feedDistribution: z.enum(['MAIN_FEED', 'NONE']),
    targetEntities: z.array(TargetEntity).max(1),
    thirdPartyDistributionChannels: z.array(z.unknown()),
  }),
  lifecycleState: z.literal('PUBLISHED'),
  isReshareDisabledByAuthor: z.boolean().default(false),
  content: z
    .strictObject({
      media: Media.optional(),
      multiImage: z
        .object({
          images: z
            .array(Media.omit({ title: true }))
            .min(2)
            .max(20),
        })
        .optional(),
      /** "Poll API": https://learn.microsoft.com/linkedin/marketing/community-management/shares/poll-post-api */
      poll: z
        .strictObject({
          question: z.string().min(1).max(140),
          options: z
            .array(z.strictObject({ text: z.string().min(1).max(30) }))
            .min(2)
            .max(4),
          settings: z.strictObject({
            duration: z.enum(['ONE_DAY', 'THREE_DAYS', 'SEVEN_DAYS', 'FOURTEEN_DAYS']),
            voteSelectionType: z.literal('SINGLE_VOTE').optional(),
            isVoterVisibleToAuthor: z.boolean().optional(),
          }),
        })
        .optional(),
      article: z
        .object({
          source: z.url(),
          // The limits that other clients have: https://github.com/bytechefhq/bytechef (component `linkedin`).
          title: z.string().min(1).max(400),
          description: z.string().max(4_086).optional(),
          thumbnail: z.string().optional(),
        })
        .optional(),
    })
    .refine((content) => Object.keys(content).length === 1)
    .optional(),
  /** The post that this one reshares. */
  reshareContext: z.strictObject({ parent: z.string() }).optional(),
});
export type PostRequest = z.infer<typeof PostRequest> & { readonly text: LittleText };

const commentaryUnits = 3_000;
/** LinkedIn refuses the URN of an activity, which most addresses of posts have. */
const reshareable = /^urn:li:(groupPost|share|ugcPost):[\d-]+$/;

/** Reads the request of a new post. @throws Refusal with LinkedIn's error */
export function readPostRequest(fields: Readonly<Record<string, unknown>>): PostRequest {
  const result = PostRequest.safeParse(fields);
  if (!result.success) {
    const [issue] = result.error.issues;
    const path = `/${issue?.path.map(String).join('/')}`;
    const isMissing = issue !== undefined && valueAt(fields, issue.path) === undefined;
    if (isMissing) {
      refuse('MISSING_FIELD', `ERROR :: ${path} :: field is required but not found and has no default value`);
    }
    refuse('INVALID_VALUE_FOR_FIELD', `ERROR :: ${path} :: ${issue?.message}`);
  }
  const { author, commentary, content, distribution, reshareContext } = result.data;
  if (distribution.targetEntities.length > 0 && !author.startsWith('urn:li:organization:'))
    refuse(
      'INVALID_VALUE_FOR_FIELD',
      'ERROR :: /distribution/targetEntities :: only organizations have audiences',
    );
  if (commentary.length > commentaryUnits) {
    refuse(
      'FIELD_LENGTH_TOO_LONG',
      `ERROR :: /commentary :: length ${commentary.length} exceeds ${commentaryUnits}`,
    );
  }
  if (commentary.trim() === '' && content === undefined && reshareContext === undefined)
    refuse('INVALID_VALUE_BLANK_FIELD', '/commentary');
  if (reshareContext !== undefined && content !== undefined)
    refuse('INVALID_VALUE_FOR_FIELD', 'ERROR :: /content :: a reshare shows the content of its parent');
  if (reshareContext !== undefined && !reshareable.test(reshareContext.parent)) {
    refuse(
      'INVALID_URN_TYPE',
      'ERROR :: /reshareContext/parent :: Allowed URN types are groupPost, share, ugcPost',
    );
  }
  return { ...result.data, text: readLittleText(commentary) };
}

/** Returns the URNs of the media that a post shows, in order. */
export function mediaUrns({ content }: Pick<PostRequest, 'content'>): readonly string[] {
  if (content?.media) return [content.media.id];
  return content?.multiImage?.images.map(({ id }) => id) ?? [];
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}
