import * as z from 'zod';
import { dayMs } from '../../kernel/clock.ts';
import type {
  AccountNumber,
  AskedPost,
  InsightsRequest,
  NumbersOf,
  PlatformInsights,
  PostReading,
} from '../contract/insights.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { count, orPending, readEach, sumOf } from '../shared/insights.ts';
import { readResponse } from '../shared/json.ts';
import { isNoSuchPost } from '../shared/removal.ts';
import { callLinkedin } from './client.ts';

const Totals = z.object({
  impressionCount: z.unknown().optional(),
  uniqueImpressionsCount: z.unknown().optional(),
  likeCount: z.unknown().optional(),
  commentCount: z.unknown().optional(),
  shareCount: z.unknown().optional(),
  clickCount: z.unknown().optional(),
});
const ShareStatistics = z.object({
  elements: z.array(
    z.object({
      share: z.string().optional().catch(undefined),
      ugcPost: z.string().optional().catch(undefined),
      timeRange: z.object({ start: z.number() }).optional().catch(undefined),
      totalShareStatistics: Totals,
    }),
  ),
});
const Followers = z.object({ firstDegreeSize: z.unknown().optional() });
const MemberAnalytics = z.object({
  elements: z.array(
    z.object({
      count: z.unknown().optional(),
      dateRange: z
        .object({ start: z.object({ year: z.number(), month: z.number(), day: z.number() }) })
        .optional()
        .catch(undefined),
    }),
  ),
});

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/members/post-statistics (`queryType`) */
const memberQueries = {
  views: 'IMPRESSION',
  reach: 'MEMBERS_REACHED',
  likes: 'REACTION',
  comments: 'COMMENT',
  shares: 'RESHARE',
} as const;

const isOrganization = ({ account }: InsightsRequest): boolean => account.meta['as'] === 'organization';

/** Reads an organization's posts together, a member's one by one, each number in a call of its own. */
export const linkedinInsights: PlatformInsights = {
  postsPerRead: 50,

  readPosts(posts, request, tools) {
    if (isOrganization(request)) return readOrganizationPosts(posts, request, tools);
    return readEach(posts, (post) => readMemberPost(post, request, tools));
  },

  readAccount(days, request, tools) {
    return isOrganization(request)
      ? readOrganization(days, request, tools)
      : readMember(days, request, tools);
  },
};

const list = (urns: readonly string[]) => `List(${urns.map(encodeURIComponent).join(',')})`;

/**
 * Reads posts by their URNs. A post that nobody has seen yet is not in the answer.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/share-statistics
 */
async function readOrganizationPosts(
  posts: readonly AskedPost[],
  request: InsightsRequest,
  tools: PlatformTools,
): Promise<ReadonlyMap<string, PostReading>> {
  const urns = posts.map(({ platformPostId }) => platformPostId);
  const shares = urns.filter((urn) => urn.startsWith('urn:li:share:'));
  const ugcPosts = urns.filter((urn) => urn.startsWith('urn:li:ugcPost:'));
  // LinkedIn reads lists and URNs in its own syntax, which the usual encoding of a query would break.
  const parameters = [
    'q=organizationalEntity',
    `organizationalEntity=${encodeURIComponent(request.account.platformAccountId)}`,
    ...(shares.length > 0 ? [`shares=${list(shares)}`] : []),
    ...(ugcPosts.length > 0 ? [`ugcPosts=${list(ugcPosts)}`] : []),
  ];
  const response = await callLinkedin(tools, {
    method: 'GET',
    path: `organizationalEntityShareStatistics?${parameters.join('&')}`,
    bearer: request.accessToken,
  });
  const found = new Map(
    readResponse(ShareStatistics, response).elements.map((element) => [
      element.share ?? element.ugcPost,
      element.totalShareStatistics,
    ]),
  );
  return readEach(posts, async (post) => {
    const totals = found.get(post.platformPostId);
    if (totals === undefined && (await isGone(post, request, tools))) return 'gone';
    return orPending({
      views: count(totals?.impressionCount),
      reach: count(totals?.uniqueImpressionsCount),
      likes: count(totals?.likeCount),
      comments: count(totals?.commentCount),
      shares: count(totals?.shareCount),
      clicks: count(totals?.clickCount),
    });
  });
}

/** Organizations' posts can be read, so one that is missing is gone. */
async function isGone(
  { platformPostId }: AskedPost,
  { accessToken: bearer }: InsightsRequest,
  tools: PlatformTools,
): Promise<boolean> {
  try {
    await callLinkedin(tools, { method: 'GET', path: `posts/${encodeURIComponent(platformPostId)}`, bearer });
    return false;
  } catch (error) {
    if (isNoSuchPost(error)) return true;
    throw error;
  }
}

/** Reads a member's post. Nobody can read whether it still exists: LinkedIn lets no app read members' posts. */
async function readMemberPost(
  { platformPostId }: AskedPost,
  { accessToken: bearer }: InsightsRequest,
  tools: PlatformTools,
): Promise<PostReading> {
  const kind = platformPostId.startsWith('urn:li:ugcPost:') ? 'ugc' : 'share';
  const entity = `(${kind}:${encodeURIComponent(platformPostId)})`;
  const read = Object.entries(memberQueries).map(async ([name, queryType]) => {
    const path = `memberCreatorPostAnalytics?q=entity&entity=${entity}&queryType=${queryType}&aggregation=TOTAL`;
    const response = await callLinkedin(tools, { method: 'GET', path, bearer });
    return [name, count(readResponse(MemberAnalytics, response).elements[0]?.count)] as const;
  });
  return orPending(Object.fromEntries(await Promise.all(read)));
}

type Days = ReadonlyMap<string, NumbersOf<AccountNumber>>;

async function readOrganization(
  days: readonly string[],
  { account, accessToken: bearer }: InsightsRequest,
  tools: PlatformTools,
): Promise<Days> {
  const urn = encodeURIComponent(account.platformAccountId);
  const start = Date.parse(days[0] ?? '');
  const end = Date.parse(days.at(-1) ?? '') + dayMs;
  const intervals = `(timeRange:(start:${start},end:${end}),timeGranularityType:DAY)`;
  const response = await callLinkedin(tools, {
    method: 'GET',
    path: `organizationalEntityShareStatistics?q=organizationalEntity&organizationalEntity=${urn}&timeIntervals=${intervals}`,
    bearer,
  });
  const { elements } = readResponse(ShareStatistics, response);
  // https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-lookup-api
  const size = await callLinkedin(tools, {
    method: 'GET',
    path: `networkSizes/${urn}?edgeType=COMPANY_FOLLOWED_BY_MEMBER`,
    bearer,
  });
  const followers = count(readResponse(Followers, size).firstDegreeSize);
  return new Map(
    days.map((day) => {
      const found = elements.find(({ timeRange }) => timeRange?.start === Date.parse(day));
      const totals = found?.totalShareStatistics;
      return [
        day,
        orPending({
          views: count(totals?.impressionCount),
          reach: count(totals?.uniqueImpressionsCount),
          interactions: sumOf([totals?.likeCount, totals?.commentCount, totals?.shareCount].map(count)),
          clicks: count(totals?.clickCount),
          ...(day === days.at(-1) && { followers }),
        }),
      ];
    }),
  );
}

async function readMember(
  days: readonly string[],
  { accessToken: bearer }: InsightsRequest,
  tools: PlatformTools,
): Promise<Days> {
  const range = `(start:${dateOf(days[0] ?? '')},end:${dateOf(nextDay(days.at(-1) ?? ''))})`;
  const daily = async (queryType: string) => {
    const path = `memberCreatorPostAnalytics?q=me&queryType=${queryType}&aggregation=DAILY&dateRange=${range}`;
    const response = await callLinkedin(tools, { method: 'GET', path, bearer });
    return new Map(
      readResponse(MemberAnalytics, response).elements.flatMap((element) => {
        const day = element.dateRange && dayOf(element.dateRange.start);
        return day === undefined ? [] : [[day, count(element.count)] as const];
      }),
    );
  };
  const [views, ...interactions] = await Promise.all(
    (['IMPRESSION', 'REACTION', 'COMMENT', 'RESHARE'] as const).map(daily),
  );
  return new Map(
    days.map((day) => [
      day,
      orPending({ views: views?.get(day), interactions: sumOf(interactions.map((each) => each.get(day))) }),
    ]),
  );
}

const nextDay = (day: string) => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);
function dateOf(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return `(year:${year},month:${month},day:${date})`;
}
const dayOf = ({ year, month, day }: { year: number; month: number; day: number }): string =>
  [year, String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
