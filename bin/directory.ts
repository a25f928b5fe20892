import * as z from 'zod';
import { openParameters } from '../lib/aws/parameters.ts';
import { openUserDirectory } from '../lib/aws/user-directory.ts';
import { systemClock } from '../lib/kernel/clock.ts';
import { HeraldError } from '../lib/kernel/errors.ts';
import { type Directory, noDirectory } from '../lib/people/directory.ts';

/** The functions' parameter about the identity provider, of which only the issuer matters here. */
const SignInParameter = z.object({ issuer: z.url() });

/**
 * Opens the directory of a stage: the user pool that issues its sign-ins, unless the team has an identity provider of its own.
 *
 * @throws HeraldError `unavailable` if the stage has no identity provider yet
 */
export async function openDirectory(stage: string): Promise<Directory> {
  const name = `/herald/${stage}/sign-in`;
  const value = await openParameters(systemClock)(name);
  if (value === undefined)
    throw new HeraldError(
      'unavailable',
      `nobody can sign in to stage ${stage} yet: there is no parameter ${name}; deploy the panel, or store the parameter for your own identity provider`,
    );
  const userPoolId = userPoolOf(SignInParameter.parse(JSON.parse(value)).issuer);
  return userPoolId === undefined || (await isOwn(stage)) ? noDirectory : openUserDirectory(userPoolId);
}

/**
 * Returns the id of the user pool behind an issuer: `https://cognito-idp.<region>.amazonaws.com/<pool id>`.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html
 *
 * @returns `undefined` for any other issuer
 */
export function userPoolOf(issuer: string): string | undefined {
  return /^https:\/\/cognito-idp\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?\/([\w-]+_[0-9A-Za-z]+)$/.exec(
    issuer,
  )?.[1];
}

/** Returns true if the stage says that its identity provider is the team's own, which may also be a user pool. */
async function isOwn(stage: string): Promise<boolean> {
  // This module loads the schemas of all settings, which few commands need.
  const { readStage } = await import('./settings-file.ts');
  return readStage(stage).signIn === 'own';
}
