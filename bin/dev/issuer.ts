/** The identity provider of the local run: the panel's registration, and the people who sign in with one click. */
import { join } from 'node:path';
import type { StartIssuer } from '@herald/local-cloud/types.ts';
import { startIssuer as startSimulatedIssuer } from '@herald/oidc-issuer/issuer.ts';
import { demoPeople } from './demo-people.ts';

/** A confidential client, so that the local run also proves that the secret is kept and sent. */
const registration = { id: 'herald-panel', secret: 'local-secret-of-the-panel' };

/**
 * Starts the simulated issuer. Returns the value that an operator with an own identity provider would store as the sign-in
 * parameter.
 */
export const startIssuer: StartIssuer = async ({ dataDirectory, clock, port, panelUrl }) => {
  const { url, control, stop } = await startSimulatedIssuer({
    port,
    clock,
    people: demoPeople,
    dataDirectory: join(dataDirectory, 'issuer'),
    clients: () => [panelClient(panelUrl)],
  });
  const { id: clientId, secret: clientSecret } = registration;
  const value = JSON.stringify({ issuer: url, clientId, clientSecret });
  return {
    url,
    control,
    stop,
    parameters: [{ name: '/herald/dev/sign-in', type: 'SecureString', value }],
  };
};

/** Registers the panel at both of its addresses, because people open it by this machine's address or by its name. */
function panelClient(panelUrl: string) {
  const urls = [panelUrl, panelUrl.replace('//127.0.0.1', '//localhost')];
  return {
    ...registration,
    redirectUris: urls.map((url) => `${url}/api/panel/sign-in/callback`),
    postLogoutRedirectUris: urls.map((url) => `${url}/signed-out`),
  };
}
