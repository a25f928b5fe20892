import type { SignInError } from '../../../people/issuer.ts';
import { count } from './locale.ts';

/** The words for people who are not signed in. */
export const greeting = {
  title: 'Posts that go live on the second',
  lead: 'Herald schedules posts to your social accounts and tells you what needs you.',
  signIn: 'Sign in',
  signedOutTitle: 'You are signed out',
  signedOutLead: 'Nothing of your workspace is left in this browser.',
  signedOutWithDrafts:
    'What you had begun and not saved is kept in this browser, for when you sign in again. Nothing else of your workspace is left here.',
  /** Posts and automations that one person has begun. */
  yourDrafts: (number: number) =>
    `${count(number, 'draft of yours is', 'drafts of yours are')} still in this browser. Whoever else uses it could read ${number === 1 ? 'it' : 'them'}.`,
  deleteDrafts: (number: number) => (number === 1 ? 'Delete the draft' : 'Delete the drafts'),
  documentation: 'API documentation',
  problems: {
    sign_in_expired: 'The sign-in took too long, or was finished in another browser. Sign in again.',
    sign_in_refused: 'The identity provider has not let you in, or the sign-in was cancelled. Try again.',
    sign_in_unavailable: 'The identity provider does not answer. Try again in a moment.',
    sign_in_failed:
      'The answer of the identity provider could not be accepted. Try again; if it keeps failing, tell whoever runs this service.',
    rate_limited: 'There were too many requests from your network. Wait a minute, then sign in again.',
  } satisfies Record<SignInError | 'rate_limited', string> as Readonly<Record<string, string>>,
  otherProblem: 'The sign-in failed. Try again; if it keeps failing, tell whoever runs this service.',
};
