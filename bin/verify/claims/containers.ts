import { type ContainerPlatform, Progress } from '../../../lib/platforms/shared/meta/containers.ts';
import type { Bench, VerifiedLivePost } from '../verification.ts';
import { describeRefusal, settleFound } from './shared.ts';

interface Client extends Pick<ContainerPlatform, 'containerStatus'> {
  readonly publish: (containerId: string) => Promise<string | null>;
}

/**
 * Checks a published container: that it reads as published, that its post is listed, and that it cannot be published a
 * second time. Settles these claims.
 *
 * @param platform the platform's name in the ids of the claims
 * @param refusalCode the platform's code for a second publication
 */
export async function settlePublished(
  bench: Bench,
  live: VerifiedLivePost,
  client: Client,
  { platform, refusalCode }: { readonly platform: string; readonly refusalCode: string },
): Promise<void> {
  const containerId = Progress.parse(live.job.preparation).container ?? '';
  const status = await bench.poll(60, async () => {
    const { state } = await client.containerStatus(containerId);
    return state === 'PUBLISHED' ? state : undefined;
  });
  bench.settle(
    `${platform}-container-reads-published`,
    status.value !== undefined,
    status.value ? `PUBLISHED after ${status.seconds} seconds` : 'not PUBLISHED within a minute',
  );

  await settleFound(bench, `${platform}-post-listed`, live);

  const again = await bench.again(live, () => client.publish(containerId));
  bench.settle(
    `${platform}-second-publish-refused`,
    again?.platformCode === refusalCode,
    describeRefusal(again, 'it was published a second time'),
  );
}
