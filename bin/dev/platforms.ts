/** The platforms of the local run: Herald's app at each, the people who can log in, and the secrets to store. */
import { join } from 'node:path';
import type { StartPlatforms } from '@herald/local-cloud/types.ts';
import { facebook } from '@herald/platform-simulators/facebook/facebook.ts';
import { instagram } from '@herald/platform-simulators/instagram/instagram.ts';
import type { PlatformDefinition } from '@herald/platform-simulators/kit/types.ts';
import { linkedin } from '@herald/platform-simulators/linkedin/linkedin.ts';
import { pinterest } from '@herald/platform-simulators/pinterest/pinterest.ts';
import { startSimulators } from '@herald/platform-simulators/start.ts';
import { threads } from '@herald/platform-simulators/threads/threads.ts';
import { tiktok } from '@herald/platform-simulators/tiktok/tiktok.ts';
import { youtube } from '@herald/platform-simulators/youtube/youtube.ts';

/** Herald's registration at a platform. */
interface PlatformApp {
  readonly id: string;
  readonly secret: string;
  readonly redirectUris: readonly string[];
  /** The URL that receives the platform's webhooks. */
  readonly webhookUrl: string;
  /** The URLs that Meta's platforms call when a person has removed the app. */
  readonly callbacks: { readonly deauthorizeUrl: string; readonly dataDeletionUrl: string };
}

/** The workspaces of the local run. */
export const demoWorkspaceNames = ['demo', 'other'] as const;

/** Returns the username of a demo workspace's account at every platform. */
export function demoUsername(workspaceName: string): string {
  return `${workspaceName}.studio`;
}

const users = demoWorkspaceNames.map((name) => ({ username: demoUsername(name) }));

/** LinkedIn requires a second app for organizations. */
const linkedinOrganizations = 'linkedin-organization';

/** The credentials that verify Instagram's webhooks, in addition to the app's own secret. */
const webhookCredentials = {
  metaAppSecret: 'local-secret-of-the-meta-app',
  webhookVerifyToken: 'local-verify-token',
};

/** The simulators to start. To add a platform to the local run, add a line here. */
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

/** Starts a simulator per platform. Returns the apps' secrets as the parameters that an operator would store. */
export const startPlatforms: StartPlatforms = async ({ dataDirectory, clock, apiUrl, ports }) => {
  const definitions = Object.entries(platforms).map(([name, define]) =>
    define({
      ...secretOf(name),
      redirectUris: [`${apiUrl}/oauth/${name}/callback`],
      webhookUrl: `${apiUrl}/platforms/${name}/webhook`,
      callbacks: {
        deauthorizeUrl: `${apiUrl}/platforms/${name}/deauthorize`,
        dataDeletionUrl: `${apiUrl}/platforms/${name}/data-deletion`,
      },
    }),
  );
  const directory = join(dataDirectory, 'platforms');
  const simulators = await startSimulators({ definitions, dataDirectory: directory, clock, ports });
  return {
    ...simulators,
    parameters: Object.keys(platforms).map((name) => {
      const value = JSON.stringify({
        ...credentialsOf(name),
        ...(name === 'instagram' && webhookCredentials),
        ...(name === 'linkedin' && { organization: credentialsOf(linkedinOrganizations) }),
      });
      return { name: `/herald/dev/platforms/${name}`, type: 'SecureString', value };
    }),
  };
};

function credentialsOf(name: string) {
  const { id, secret } = secretOf(name);
  return { clientId: id, clientSecret: secret };
}

function secretOf(name: string): Pick<PlatformApp, 'id' | 'secret'> {
  return { id: `herald-${name}`, secret: `local-secret-of-${name}` };
}
