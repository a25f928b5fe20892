import { minuteMs, secondMs } from '../../lib/kernel/clock.ts';
import { PlatformError } from '../../lib/platforms/contract/errors.ts';
import type { Platform } from '../../lib/platforms/contract/names.ts';
import type { Process, World } from './world.ts';

/** Something that went live. The ledger is the truth about the platform, whatever its replies say. */
export interface LedgerEntry {
  readonly id: string;
  readonly platformAccountId: string;
  /** The reference of the post, as the adapter gave it. */
  readonly reference: string;
  readonly content: string;
  readonly liveMs: number;
  /** Reads do not show the post before this time. */
  readonly visibleMs: number;
}

interface Container {
  readonly content: string;
  readonly reference: string;
  readonly readyMs: number;
  readonly expiresMs: number;
  published: LedgerEntry | undefined;
}

interface Upload {
  readonly content: string;
  readonly reference: string;
  video: LedgerEntry | undefined;
}

/** How late a call may take effect, even after the client has given it up. A paused client can send it later still. */
export const latestEffectMs = 30 * secondMs;
/** How late reads usually show a live post. One post in twenty is shown much later than adapters assume. */
export const longestUsualLagMs = 25 * secondMs;
const longestLagMs = 30 * minuteMs;

export type SimulatedPlatform = ReturnType<typeof createPlatform>;

/**
 * A platform with the faults of the real ones: calls are not idempotent, connections break before and after the effect,
 * calls are throttled or refused, tokens and accounts get refused, and reads show posts late.
 *
 * @param onLive called whenever something goes live
 */
export function createPlatform(world: World, onLive: (entry: LedgerEntry) => void) {
  const { random, clockwork, now } = world;
  const ledger: LedgerEntry[] = [];
  const containers = new Map<string, Container>();
  const uploads = new Map<string, Upload>();
  const revoked = new Set<string>();
  let made = 0;

  /** A call to the platform. It may be refused, or end with an unknown outcome. */
  async function ask<Answer>(
    process: Process,
    what: string,
    accessToken: string,
    effect: () => Answer,
    milliseconds: readonly [number, number] = [30, 400],
  ): Promise<Answer> {
    const answer = await world.call(
      process,
      `platform: ${what}`,
      () => {
        refuse(accessToken);
        if (world.happens('platformReplyLost')) {
          // The effect happens now, later or never: the client cannot tell.
          const isAccepted = random.isTrue(0.7);
          if (isAccepted)
            clockwork.after(random.between(0, latestEffectMs - 4 * secondMs), () => attempt(effect));
          throw new PlatformError('unknown', `${what}: the connection was cut`);
        }
        return { effect: effect() };
      },
      milliseconds,
    );
    return answer.effect;
  }

  function refuse(accessToken: string): void {
    if (revoked.has(accessToken)) throw new PlatformError('reauthorise', 'the token is not valid');
    if (world.happens('tokenRefused')) {
      revoked.add(accessToken);
      throw new PlatformError('reauthorise', 'the token was revoked');
    }
    if (world.happens('rateLimited')) {
      const retryAfterSeconds = random.isTrue(0.5) ? random.integer(1, 900) : undefined;
      throw new PlatformError('retry', 'too many requests', { status: 429, retryAfterSeconds });
    }
    if (world.happens('platformFails')) throw new PlatformError('unknown', 'the platform answered 500');
    if (world.happens('rejected')) throw new PlatformError('rejected', 'the platform refuses this');
    if (world.happens('restricted')) throw new PlatformError('restricted', 'the account is restricted');
  }

  function drawLagMs(): number {
    const chance = random.next();
    if (chance < 0.7) return 0;
    return random.between(0, chance < 0.95 ? longestUsualLagMs : longestLagMs);
  }

  /** Makes a post, whatever was posted before. */
  function publish(platformAccountId: string, reference: string, content: string): LedgerEntry {
    made += 1;
    const entry: LedgerEntry = {
      id: `live-${made}`,
      platformAccountId,
      reference,
      content,
      liveMs: now(),
      visibleMs: now() + drawLagMs(),
    };
    ledger.push(entry);
    world.log(`platform: ${entry.id} is live for ${platformAccountId}: ${content}`);
    onLive(entry);
    return entry;
  }

  return {
    ledger,
    ask,
    publish,
    revoke: (accessToken: string) => revoked.add(accessToken),
    createContainer(reference: string, content: string): string {
      made += 1;
      const id = `container-${made}`;
      const lifeMs = world.happens('containerExpires') ? random.between(0, 10 * minuteMs) : 1_440 * minuteMs;
      const workMs = random.isTrue(0.5) ? random.between(0, 40 * secondMs) : 0;
      const [readyMs, expiresMs] = [now() + workMs, now() + lifeMs];
      containers.set(id, { reference, content, readyMs, expiresMs, published: undefined });
      return id;
    },
    /** A published container reads as ready for as long as reads do not show its post. It never reads as expired. */
    containerState(id: string): 'working' | 'ready' | 'published' | 'expired' {
      const container = containers.get(id);
      if (container?.published) return container.published.visibleMs <= now() ? 'published' : 'ready';
      if (!container || now() >= container.expiresMs) return 'expired';
      return now() < container.readyMs ? 'working' : 'ready';
    },
    /** Publishes a container, again if it was published before: the platform has no guard. */
    publishContainer(id: string, platformAccountId: string): LedgerEntry {
      const container = containers.get(id);
      if (!container || now() >= container.expiresMs)
        throw new PlatformError('retry', 'the container has expired');
      const entry = publish(platformAccountId, container.reference, container.content);
      container.published ??= entry;
      return entry;
    },
    beginUpload(reference: string, content: string): string {
      made += 1;
      const id = `upload-${made}`;
      uploads.set(id, { reference, content, video: undefined });
      return id;
    },
    /** Completes an upload, which makes its video live. An upload makes one video: a repeated call returns the same. */
    completeUpload(id: string, platformAccountId: string): LedgerEntry {
      const upload = uploads.get(id);
      if (!upload) throw new PlatformError('retry', 'there is no such upload');
      upload.video ??= publish(platformAccountId, upload.reference, upload.content);
      return upload.video;
    },
    isCompleted: (id: string): boolean => uploads.get(id)?.video !== undefined,
    /** The video of an upload, once reads show it. */
    videoOf(id: string): LedgerEntry | undefined {
      const video = uploads.get(id)?.video;
      return video && video.visibleMs <= now() ? video : undefined;
    },
    /** The posts of an account that a read shows now. */
    shown: (platformAccountId: string): LedgerEntry[] =>
      ledger.filter((entry) => entry.platformAccountId === platformAccountId && entry.visibleMs <= now()),
  };
}

/** Runs an effect after the connection was cut, so that no client sees a refusal. */
function attempt(effect: () => unknown): void {
  try {
    effect();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
  }
}

/**
 * The three kinds of platforms: containers to poll, which can be published twice; an upload in parts, which can be
 * completed once; one call that uploads and publishes, after which no read shows the post.
 */
export const simulatedPlatforms = ['instagram', 'youtube', 'tiktok'] as const satisfies readonly Platform[];
export type SimulatedPlatformName = (typeof simulatedPlatforms)[number];

export const leadSecondsOf: Readonly<Record<SimulatedPlatformName, number>> = {
  instagram: 120,
  youtube: 300,
  tiktok: 5,
};
