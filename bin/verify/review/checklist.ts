/** The points that are missing before an app can be submitted for review. Pure. */
import type { StageSettings } from '../../../infra/stages.ts';
import {
  type Feature,
  namesOf,
  type PlatformFeatures,
  requestedFeatures,
} from '../../../lib/platforms/contract/features.ts';
import { type Platform, platformTitles } from '../../../lib/platforms/contract/names.ts';
import { isDemonstrated } from './steps.ts';
import type { StepResult } from './walk.ts';

/** A point of the checklist. `look`: only a person can see at the platform whether it is done. */
export interface Point {
  readonly state: 'ok' | 'missing' | 'look';
  readonly text: string;
}

/** A page of the operator that the platform's form asks for. */
export interface OwnPage {
  readonly url: string;
  /** The reason for which a reviewer could not read it. Absent: it was read. */
  readonly problem?: string;
}

export interface ReviewFacts {
  readonly platform: Platform;
  readonly stage: string;
  readonly settings: Pick<
    StageSettings,
    'apiDomain' | 'panelDomain' | 'mediaDomain' | 'features' | 'signIn' | 'mail'
  >;
  readonly features: PlatformFeatures;
  /** The features that the stage has chosen for the platform. Absent: the usual ones. */
  readonly chosen?: readonly Feature[] | undefined;
  readonly pages: Readonly<Partial<Record<'website' | 'privacy' | 'terms', OwnPage>>>;
  readonly results: readonly StepResult[];
}

const ok = (text: string): Point => ({ state: 'ok', text });
const missing = (text: string): Point => ({ state: 'missing', text });
const look = (text: string): Point => ({ state: 'look', text });

const meta: readonly Platform[] = ['facebook', 'instagram', 'threads'];

/** Platforms that ask for a domain which the operator has verified. */
const wantDomain: readonly Platform[] = ['tiktok', 'youtube'];

export function checklist(facts: ReviewFacts): Point[] {
  return [
    ...walkPoints(facts),
    ...featurePoints(facts),
    ...addressPoints(facts),
    ...pagePoints(facts),
    ...signInPoints(facts),
    ...byHand[facts.platform].map(look),
  ];
}

function walkPoints({ results }: ReviewFacts): Point[] {
  const failed = results.filter(({ state }) => state === 'failed');
  const left = results.filter(({ state }) => state === 'not reached').length;
  return [
    failed.length === 0 && left === 0
      ? ok(`All ${results.length} steps were shown, each with what it must show.`)
      : missing(`${results.length - failed.length - left} of ${results.length} steps were shown.`),
    ...failed.map(({ step, problem }) => missing(`“${step.title}” failed: ${problem ?? 'no reason'}`)),
  ];
}

function featurePoints({ platform, features, chosen, stage }: ReviewFacts): Point[] {
  const requested = requestedFeatures(features, chosen);
  const scopesOf = (name: Feature) => (features.scopes[name] ?? []).join(', ');
  const needsMore = (name: Feature) =>
    features.scopes[name]?.some((scope) => !features.scopes.publish.includes(scope));
  const off = namesOf(features).filter((name) => !requested.includes(name));
  return [
    ...requested.map((name) =>
      isDemonstrated(platform, name) || !needsMore(name)
        ? ok(`${name}: request ${scopesOf(name)}.`)
        : missing(
            `${name}: no step here shows what ${scopesOf(name)} is for. Record its use by hand, or leave the feature out of the settings: platforms refuse permissions whose use they do not see.`,
          ),
    ),
    ...(off.length === 0
      ? []
      : [
          look(
            `Off in the stage ${stage}: ${off.join(', ')}. Do not request their permissions, or name the features in the settings first (features.${platform}).`,
          ),
        ]),
  ];
}

function addressPoints({ platform, settings }: ReviewFacts): Point[] {
  const { apiDomain, mediaDomain } = settings;
  const api = apiDomain && `https://${apiDomain.name}`;
  const shown = api ?? '<the output ApiUrl>';
  const callback = `${shown}/oauth/${platform}/callback`;
  return [
    api !== undefined
      ? ok(`Redirect address: ${callback}`)
      : wantDomain.includes(platform)
        ? missing(
            `apiDomain is not set. ${platformTitles[platform]} asks for domains that you have verified, and the address of API Gateway is not yours. Set it before you register the redirect address.`,
          )
        : look(
            `Redirect address: ${callback}. Without apiDomain it has a name of AWS, which reviewers see on the way back, and which changes if the stack is made again.`,
          ),
    ...(meta.includes(platform)
      ? [
          look(`Deauthorize callback: ${shown}/platforms/${platform}/deauthorize`),
          look(`Data deletion callback: ${shown}/platforms/${platform}/data-deletion`),
        ]
      : []),
    ...(platform === 'tiktok'
      ? [
          mediaDomain !== undefined
            ? look(
                `Verify https://${mediaDomain.name} under “URL properties”: TikTok fetches photos from there.`,
              )
            : missing(
                'mediaDomain is not set: TikTok fetches photos only from a domain that you have verified.',
              ),
        ]
      : []),
  ];
}

/** The pages that a platform's form asks for. */
const wantedPages: Readonly<Record<Platform, readonly (keyof ReviewFacts['pages'])[]>> = {
  facebook: ['privacy'],
  instagram: ['privacy'],
  linkedin: ['website', 'privacy'],
  pinterest: ['website', 'privacy'],
  threads: ['privacy'],
  tiktok: ['website', 'privacy', 'terms'],
  youtube: ['website', 'privacy', 'terms'],
};

const pageNames = { website: 'website', privacy: 'privacy policy', terms: 'terms of service' } as const;

function pagePoints({ platform, pages }: ReviewFacts): Point[] {
  return wantedPages[platform].map((name) => {
    const page = pages[name];
    const title = pageNames[name];
    if (page === undefined)
      return missing(
        `No address of your ${title}: the form asks for one. Add --${name} <URL> to have it looked at.`,
      );
    return page.problem === undefined
      ? ok(`Your ${title} can be read: ${page.url}`)
      : missing(`Your ${title} at ${page.url} ${page.problem}.`);
  });
}

function signInPoints({ settings }: ReviewFacts): Point[] {
  const { panelDomain, signIn } = settings;
  return [
    panelDomain !== undefined
      ? ok(`Reviewers sign in at https://${panelDomain.name}`)
      : look(
          'panelDomain is not set: reviewers sign in at a name of CloudFront. A name of your own looks less like a test.',
        ),
    signIn === 'own'
      ? look(
          'Make a user for reviewers at your identity provider, with a password and without a second factor, and invite it to a workspace of its own.',
        )
      : look(
          'People sign in with a code by email, which a reviewer cannot read. Set a password for the reviewer’s user in the user pool, or use your own identity provider: docs/reviews.md, “A user for reviewers”.',
        ),
  ];
}

/** Points that only a person can look at. */
const byHand: Readonly<Record<Platform, readonly string[]>> = {
  facebook: [
    'Business Verification is complete, and the app has a category, an icon and a contact address.',
    'Each permission was used in a successful call within the last 30 days: publish once with your own Page.',
    'The recording is in English, or has English captions, and shows the whole login.',
  ],
  instagram: [
    'Business Verification is complete, and the app has a category, an icon and a contact address.',
    'Each permission was used in a successful call within the last 30 days.',
    'For comments and messages: the webhook is verified in the app’s settings, and webhookVerifyToken and metaAppSecret are stored.',
    'The recording is in English, or has English captions, and shows the whole login.',
  ],
  linkedin: [
    'The app belongs to the LinkedIn Page of your company, and an admin of the Page has verified that.',
    'The Page, the website and the legal entity have the same name.',
    'The Community Management API is the only product of the app for organizations.',
  ],
  pinterest: [
    'Record in the sandbox: "sandbox":true in the credentials of a stage of its own. Apps with Trial access cannot create Pins in production.',
    'The name of the app does not contain “Pinterest”.',
  ],
  threads: [
    'The Threads use case is added, with the permissions above and no others.',
    'The recording is in English, or has English captions, and shows the whole login.',
  ],
  tiktok: [
    'There are two reviews: the app review, for the scopes, and then the audit of Direct Post (Products → Content Posting API → Apply).',
    'The privacy policy and the terms are linked on the website’s first page, not in a menu.',
    'The recording shows the composer in the order of points 1 to 5 of the Content Sharing Guidelines, on your own domain.',
    'Nothing that your product adds to files is a logo, a watermark or a link.',
  ],
  youtube: [
    'The consent screen is “In production”, its domains are verified in Search Console, and it lists the scopes above and no others.',
    'The recording shows the consent page in English, with all scopes, and the client id in the address bar.',
    'For numbers: the YouTube Analytics API is enabled in the project.',
    'Your privacy policy links to Google’s, and your terms to YouTube’s.',
  ],
};
