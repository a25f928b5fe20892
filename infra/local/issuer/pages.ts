/** The pages that people see. They work without scripts, by keyboard, and in both colour schemes. */
import { createHash } from 'node:crypto';
import type { KoaContextWithOIDC } from 'oidc-provider';

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

type Context = Pick<KoaContextWithOIDC, 'set' | 'status' | 'type' | 'body'>;

/**
 * Shows a page.
 *
 * @param formTarget an address that a form's answer redirects to, which `form-action` must allow too
 */
function show(ctx: Context, title: string, content: string, formTarget?: unknown): void {
  const target = typeof formTarget === 'string' ? new URL(formTarget).origin : '';
  ctx.set({
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${styleDigest}'; form-action 'self' ${target}; frame-ancestors 'none'; base-uri 'none'`,
    'x-content-type-options': 'nosniff',
    // With a stricter policy, browsers would send `Origin: null` with the forms.
    'referrer-policy': 'same-origin',
  });
  ctx.type = 'html';
  ctx.body = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body><main>${content}</main></body>
</html>
`;
}

interface SignIn {
  /** The labels of the people who sign in with one click. */
  readonly labels: readonly string[];
  /** The address to suggest. */
  readonly email: unknown;
  readonly redirectUri: unknown;
  /** The problem with the address that was entered. */
  readonly problem?: string;
}

/** Asks who signs in. */
export function showSignIn(ctx: Context, { labels, email = '', redirectUri, problem }: SignIn): void {
  ctx.status = problem === undefined ? 200 : 400;
  const buttons = labels.map((label) => {
    const name = escapeHtml(label);
    return `<button name="person" value="${name}">Continue as ${name}</button>`;
  });
  show(
    ctx,
    'Simulated identity provider',
    `<h1>Simulated identity provider</h1>
<p>It stands in for your identity provider on this machine, and asks nobody for a password.</p>
<form method="post">${buttons.join('')}</form>
<h2 id="another">Continue with another address</h2>
<form method="post" aria-labelledby="another">
${problem === undefined ? '' : `<p class="problem" role="alert" id="problem">${escapeHtml(problem)}</p>`}
<label for="email">Email</label>
<input id="email" name="email" type="email" required autocomplete="off" value="${escapeHtml(email)}"${problem === undefined ? '' : ' aria-invalid="true" aria-describedby="problem"'}>
<label for="name">Name</label>
<input id="name" name="name" autocomplete="off" maxlength="100">
<button class="plain">Continue</button>
</form>
<form method="post"><button class="plain" name="cancel" value="1">Cancel</button></form>`,
    redirectUri,
  );
}

/** Asks before the browser is signed out, with a form of the library. */
export function showSignOut(ctx: KoaContextWithOIDC, form: string): void {
  show(
    ctx,
    'Sign out',
    `<h1>Sign out?</h1><p>The simulated identity provider then forgets this browser.</p>
${form}<button form="op.logoutForm" name="logout" value="yes">Sign out</button>`,
    ctx.oidc.params?.['post_logout_redirect_uri'],
  );
}

export const showSignedOut = (ctx: Context): void =>
  show(
    ctx,
    'Signed out',
    '<h1>You are signed out</h1><p>The simulated identity provider has forgotten this browser.</p>',
  );

/** Shows an error that must not be sent to a redirect URI. */
export function showError(ctx: Context, problem: string, status = 400): void {
  ctx.status = status;
  show(
    ctx,
    'Simulated identity provider: error',
    `<h1>The simulated identity provider refuses this request</h1><p>${escapeHtml(problem)}</p>`,
  );
}

function escapeHtml(text: unknown): string {
  return String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
