import { rawJson } from '../kit/answers.ts';
import type { Operation, Workbench } from '../kit/types.ts';
import { loginOperations } from '../meta/login.ts';
import type { MetaApp } from '../meta/platform.ts';
import { refuse } from './errors.ts';
import { authenticate } from './sessions.ts';
import type { State, Token, User } from './state.ts';

/** The app's registration with Instagram. */
export interface InstagramApp extends MetaApp {
  /** The secret of the Meta app that contains this app. It signs every other webhook. */
  readonly metaSecret?: string;
  /** The webhook registration. Without it no webhooks are sent. */
  readonly webhook?: { readonly callbackUrl: string; readonly verifyToken: string };
}

export const scopes = [
  'instagram_business_basic',
  'instagram_business_content_publish',
  'instagram_business_manage_comments',
  'instagram_business_manage_messages',
  'instagram_business_manage_insights',
] as const;

export type Scope = (typeof scopes)[number];

export function instagramLogin(workbench: Workbench, state: State, app: InstagramApp): Operation[] {
  const { users, tokens } = state;

  function codeAnswer({ value, igId, scopes: granted }: Token) {
    const isFlat = workbench.setting('tokenAnswer') === 'flat';
    const permissions = JSON.stringify(isFlat ? granted : granted.join(','));
    // As in the real answer, the id is a JSON number above 2^53. `JSON.stringify` cannot write it.
    const id = users.get(igId)?.scopedId;
    const token = `{"access_token":"${value}","user_id":${id},"permissions":${permissions}}`;
    return rawJson(isFlat ? token : `{"data":[${token}]}`);
  }

  return loginOperations<User, Pick<Token, 'igId'>>(workbench, {
    platform: 'Instagram',
    app,
    users,
    tokens,
    addresses: {
      authorize: 'www.instagram.com/oauth/authorize',
      code: 'api.instagram.com/oauth/access_token',
      graph: 'graph.instagram.com',
    },
    scopes,
    scopeSeparator: /,/,
    asksAgain: ({ fields }) => fields['force_reauth'] === 'true',
    tokenPrefix: 'IGAA',
    grantPrefix: 'ig',
    words: {
      unknownCode: 'Matching code was not found or was already used.',
      otherRedirectUri:
        'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
    },
    ownerOf: ({ igId }) => ({ igId }),
    authenticate: (call) => authenticate(call, state),
    codeAnswer,
    refuse,
  });
}
