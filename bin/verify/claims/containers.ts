import * as z from 'zod';
import type { Parameters, PlatformResponse } from '../../../lib/platforms/contract/http.ts';
import { readResponse } from '../../../lib/platforms/shared/json.ts';
import { type ContainerPlatform, Progress } from '../../../lib/platforms/shared/meta/containers.ts';
import type { Bench, CheckedClaim, Observation, VerifiedLivePost } from '../verification.ts';
import { describeRefusal, findAgain, listPatienceSeconds, outcomeOf, refusedWith } from './shared.ts';

interface Client extends Pick<ContainerPlatform, 'containerStatus'> {
  readonly publish: (containerId: string) => Promise<string | null>;
}

/** The differences between the two platforms that publish containers. */
interface PublishedContainer {
  /** The platform's name in the ids of the claims. */
  readonly platform: string;
  readonly clientOf: (bench: Bench, live: VerifiedLivePost) => Client;
  /** The page that describes the status. */
  readonly page: string;
  /** The list of the account's posts, and the text of a post in it. */
  readonly list: string;
  readonly text: string;
  /** The platform's code for a second publication, below 24. */
  readonly refusal: string;
}

/** The claims about a published container. They stay open if there is no post. */
export function containerClaims({
  platform,
  clientOf,
  page,
  list,
  text,
  refusal,
}: PublishedContainer): CheckedClaim<{ live?: VerifiedLivePost | undefined }>[] {
  const containerOf = ({ job }: VerifiedLivePost) => Progress.parse(job.preparation).container ?? '';
  return [
    {
      id: `${platform}-container-reads-published`,
      text: 'The container of a published post reads PUBLISHED, within a minute.',
      expected: 'PUBLISHED',
      source: `${page} names no lag`,
      async check(bench, { live }) {
        if (live === undefined) return undefined;
        const client = clientOf(bench, live);
        const { value, seconds } = await bench.poll(60, async () => {
          const { state } = await client.containerStatus(containerOf(live));
          return state === 'PUBLISHED' ? state : undefined;
        });
        const seen = value ? `PUBLISHED after ${seconds} seconds` : 'not PUBLISHED within a minute';
        return { isTrue: value !== undefined, seen };
      },
    },
    {
      id: `${platform}-post-listed`,
      text: `The account’s ${list} shows a new post, with its ${text} and its time, within ${listPatienceSeconds} seconds.`,
      expected: 'A lookup finds the post',
      source: 'Our judgement: no lag is documented',
      check: (bench, { live }) => live && findAgain(bench, live),
    },
    {
      id: `${platform}-second-publish-refused`,
      text: `A container that is published a second time is refused with ${refusal}, and no second post appears.`,
      expected: `A refusal with 24/${refusal}`,
      source: 'Not documented',
      async check(bench, { live }) {
        if (live === undefined) return undefined;
        const client = clientOf(bench, live);
        const again = await bench.again(live, () => client.publish(containerOf(live)));
        return refusedWith(again, `24/${refusal}`);
      },
    },
  ];
}

const Limit = z.object({
  data: z.array(z.object({ config: z.object({ quota_total: z.number(), quota_duration: z.number() }) })),
});

/** The claim about the account's daily limit. @param path the edge of the account that has it */
export const postingLimitClaim = (
  { platform, posts, path, source }: { platform: string; posts: number; path: string; source: string },
  get: (bench: Bench, path: string, query: Parameters) => Promise<PlatformResponse>,
): CheckedClaim => ({
  id: `${platform}-posting-limit`,
  text: `An account may publish ${posts} posts in any 24 hours.`,
  expected: `\`quota_total\` ${posts}, \`quota_duration\` 86400`,
  source,
  async check(bench) {
    const edge = `${encodeURIComponent(bench.account.platformAccountId)}/${path}`;
    const { data } = readResponse(Limit, await get(bench, edge, { fields: 'quota_usage,config' }));
    const { quota_total: total, quota_duration: seconds } = data[0]?.config ?? {};
    return { isTrue: total === posts && seconds === 86_400, seen: `${total} in ${seconds} seconds` };
  },
});

const processingSeconds = 300;

/** Creates a container, never publishes it, and observes how its processing ends. */
export async function checkProcessing(
  bench: Bench,
  client: Pick<ContainerPlatform, 'createContainer' | 'containerStatus'>,
  parameters: Parameters,
): Promise<Observation> {
  const { value: id, refusal } = await outcomeOf(() => client.createContainer(parameters));
  if (id === undefined) return { isTrue: false, seen: describeRefusal(refusal) };
  const { value: status } = await bench.poll(processingSeconds, async () => {
    const read = await client.containerStatus(id);
    return read.state === 'IN_PROGRESS' ? undefined : read;
  });
  if (status === undefined) return { isTrue: false, seen: 'still IN_PROGRESS after 5 minutes' };
  const isTrue = status.state === 'FINISHED';
  return { isTrue, seen: isTrue ? 'FINISHED' : `${status.state} ${status.message}`.trim() };
}

/** Checks the video if it has a structure that Meta advises against. Otherwise the claim stays open. */
export async function checkUnadvised(
  bench: Bench,
  check: (url: string) => Promise<Observation>,
): Promise<Observation | { readonly open: string }> {
  const { source, described } = bench.file('video');
  if (described.hasEditList !== true && described.moovFirst !== false)
    return { open: 'the file of --video has no edit list and begins with its index: give one that does not' };
  return check(source.url);
}
