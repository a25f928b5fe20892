/** The platforms that stand beside the local cloud, each with an app of ours and people who can log in. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ParameterResource } from '../cloud/model.ts';
import { facebook } from './facebook/facebook.ts';
import { instagram } from './instagram/instagram.ts';
import { startSimulator } from './kit/simulator.ts';
import type { PlatformDefinition, Simulator, SimulatorClock } from './kit/types.ts';
import { linkedin } from './linkedin/linkedin.ts';
import { pinterest } from './pinterest/pinterest.ts';
import { threads } from './threads/threads.ts';
import { tiktok } from './tiktok/tiktok.ts';
import { youtube } from './youtube/youtube.ts';

/** Our registration at a platform. */
interface PlatformApp {
  readonly id: string;
  readonly secret: string;
  readonly redirectUris: readonly string[];
  /** Where the platform may send webhooks. */
  readonly webhookUrl: string;
}

/** The workspaces of the local run. */
export const demoWorkspaceNames = ['demo', 'other'] as const;

/** Under this name a demo workspace has an account at each platform. */
export function demoUsername(workspaceName: string): string {
  return `${workspaceName}.studio`;
}

const users = demoWorkspaceNames.map((name) => ({ username: demoUsername(name) }));

/** LinkedIn wants a second app for organizations. */
const linkedinOrganizations = 'linkedin-organization';

/** What Instagram's webhooks are verified with, beside the app's own secret. */
const webhookCredentials = {
  metaAppSecret: 'local-secret-of-the-meta-app',
  webhookVerifyToken: 'local-verify-token',
};

/** A platform is added to the local run by a line here. */
const platforms: Readonly<Record<string, (app: PlatformApp) => PlatformDefinition>> = {
  facebook: (app) => facebook({ app, users }),
  instagram: ({ webhookUrl, ...app }) => {
    const webhook = { callbackUrl: webhookUrl, verifyToken: webhookCredentials.webhookVerifyToken };
    return instagram({ app: { ...app, metaSecret: webhookCredentials.metaAppSecret, webhook }, users });
  },
  linkedin: (app) =>
    linkedin({ app, organizationApp: { ...app, ...secretOf(linkedinOrganizations) }, users }),
  pinterest: (app) => pinterest({ app, users }),
  threads: (app) => threads({ app, users }),
  tiktok: (app) => tiktok({ app, users }),
  youtube: (app) => youtube({ app, users }),
};

export interface RunningPlatforms {
  readonly addresses: Readonly<Record<string, { readonly url: string; readonly control: string }>>;
  /** The secrets of our apps, as an operator would store them for a stage. */
  readonly parameters: readonly Pick<ParameterResource, 'name' | 'type' | 'value'>[];
  stop(): Promise<void>;
}

/**
 * Starts a simulator for each platform.
 *
 * @param options.ports those of the last run, by platform.
 * @throws Error with one line where a port is taken; none is left running then.
 */
export async function startPlatforms(options: {
  readonly dataDirectory: string;
  readonly clock: SimulatorClock;
  readonly apiUrl: string;
  readonly ports: Readonly<Record<string, number>>;
}): Promise<RunningPlatforms> {
  const running: Record<string, Simulator> = {};
  const stop = async () => {
    await Promise.all(Object.values(running).map((simulator) => simulator.stop()));
  };
  try {
    for (const [name, define] of Object.entries(platforms)) {
      const port = options.ports[name] ?? 0;
      const dataDirectory = join(options.dataDirectory, 'platforms', name);
      mkdirSync(dataDirectory, { recursive: true });
      const app = {
        ...secretOf(name),
        redirectUris: [`${options.apiUrl}/oauth/${name}/callback`],
        webhookUrl: `${options.apiUrl}/platforms/${name}/webhook`,
      };
      const { clock } = options;
      running[name] = await startSimulator({ definition: define(app), dataDirectory, clock, port }).catch(
        namePort(port),
      );
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    addresses: Object.fromEntries(
      Object.entries(running).map(([name, { url, control }]) => [name, { url, control }] as const),
    ),
    parameters: Object.keys(running).map((name) => {
      const value = JSON.stringify({
        ...credentialsOf(name),
        ...(name === 'instagram' && webhookCredentials),
        ...(name === 'linkedin' && { organization: credentialsOf(linkedinOrganizations) }),
      });
      return { name: `/herald/dev/platforms/${name}`, type: 'SecureString', value };
    }),
    stop,
  };
}

function credentialsOf(name: string) {
  const { id, secret } = secretOf(name);
  return { clientId: id, clientSecret: secret };
}

function secretOf(name: string): Pick<PlatformApp, 'id' | 'secret'> {
  return { id: `herald-${name}`, secret: `local-secret-of-${name}` };
}

function namePort(port: number): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`port ${port} is in use: stop the other program`);
  };
}
