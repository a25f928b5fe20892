/** The pages that people see. They work without scripts, by keyboard, and in both colour schemes. */
import { createHash } from 'node:crypto';
import { escapeHtml } from './answers.ts';
import type { Answer, KnownPerson } from './types.ts';

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; padding: 32px 16px; background: Canvas; color: CanvasText; }
main { max-width: 24rem; margin: 0 auto; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 8px; }
h2 { font-size: 1rem; margin: 32px 0 8px; }
button, input { box-sizing: border-box; width: 100%; min-height: 44px; padding: 8px 12px; font: inherit; border-radius: 8px; }
button { margin-top: 12px; border: 1px solid #1f5fbf; background: #1f5fbf; color: #fff; cursor: pointer; }
button.plain { border-color: GrayText; background: Canvas; color: CanvasText; }
input { border: 1px solid #767676; background: Canvas; color: CanvasText; }
label { display: block; margin-top: 12px; }
:focus-visible { outline: 3px solid #6ea8fe; outline-offset: 2px; }
.problem { font-weight: 600; }
`;

const styleDigest = createHash('sha256').update(style).digest('base64');

/**
 * @param options.formTarget the origin that a form's answer redirects to, which `form-action` must allow too
 */
function page(
  title: string,
  content: string,
  options: { readonly status?: number; readonly formTarget?: string } = {},
): Answer {
  const { status = 200, formTarget = '' } = options;
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleDigest}'; form-action 'self' ${formTarget}; frame-ancestors 'none'; base-uri 'none'`,
      'x-content-type-options': 'nosniff',
      // With a stricter policy, browsers would send `Origin: null` with the forms.
      'referrer-policy': 'same-origin',
    },
    body: `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body><main>${content}</main></body>
</html>
`,
  };
}

export interface SignInPage {
  readonly people: readonly KnownPerson[];
  /** The parameters of the authorization request, which the forms repeat. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly redirectUri: string;
  readonly loginHint: string | undefined;
  /** What was wrong with the address that was entered. */
  readonly problem?: string;
}

/** Asks who signs in. */
export function signInPage({ people, parameters, redirectUri, loginHint = '', problem }: SignInPage): Answer {
  const request = Object.entries(parameters)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
  const buttons = people
    .map(({ label }) => {
      const name = escapeHtml(label);
      return `<button name="person" value="${name}">Continue as ${name}</button>`;
    })
    .join('');
  return page(
    'Simulated identity provider',
    `<h1>Simulated identity provider</h1>
<p>It stands in for your identity provider on this machine, and asks nobody for a password.</p>
<form method="post" action="/continue">${request}${buttons}</form>
<h2 id="another">Continue with another address</h2>
<form method="post" action="/continue" aria-labelledby="another">${request}
${problem === undefined ? '' : `<p class="problem" role="alert" id="problem">${escapeHtml(problem)}</p>`}
<label for="email">Email</label>
<input id="email" name="email" type="email" required autocomplete="off" value="${escapeHtml(loginHint)}"${problem === undefined ? '' : ' aria-invalid="true" aria-describedby="problem"'}>
<label for="name">Name</label>
<input id="name" name="name" autocomplete="off" maxlength="100">
<button class="plain">Continue</button>
</form>
<form method="post" action="/continue">${request}<button class="plain" name="cancel" value="1">Cancel</button></form>`,
    { status: problem === undefined ? 200 : 400, formTarget: new URL(redirectUri).origin },
  );
}

/** A page for errors that must not be sent to a redirect URI. */
export function errorPage(problem: string, status = 400): Answer {
  return page(
    'Simulated identity provider: error',
    `<h1>The simulated identity provider refuses this request</h1><p>${escapeHtml(problem)}</p>`,
    { status },
  );
}

export function signedOutPage(): Answer {
  return page(
    'Signed out',
    '<h1>You are signed out</h1><p>The simulated identity provider has forgotten this browser.</p>',
  );
}
