import { describe, expect, it } from 'vitest';
import { html } from '../../../lib/api-contract/pages/html.ts';
import type { Page } from '../../../lib/api-contract/pages/page.ts';
import { answerTo } from '../../../lib/connections/pages.ts';
import { connectable } from '../../support/authorization.ts';
import { noon } from '../../support/connecting.ts';

function choicePage(
  changes: Partial<Parameters<typeof connectable>[2]> = {},
  redirectUrl: string | undefined = undefined,
): Page {
  const { tokens, ...account } = connectable('a', noon, changes);
  const candidate = { ...account, meta: {}, tokens: { ...tokens, scopes: [] } };
  const answer = answerTo({
    kind: 'choose',
    platform: 'facebook',
    state: 'state-1',
    workspace: { id: '0190-1', name: 'Harbour Coffee' },
    candidates: [candidate],
    lost: [],
    redirectUrl,
  });
  if ('redirectTo' in answer) throw new Error('a page was expected');
  return answer;
}

function introductionPage(workspaceName: string, platformUrl = 'https://platform.example/authorize'): Page {
  const attempt = { platform: 'tiktok', state: 'state-1', redirectUrl: undefined } as const;
  const answer = answerTo({
    kind: 'introduction',
    ...attempt,
    workspace: { id: '0190-1', name: workspaceName },
    platformUrl,
  });
  if ('redirectTo' in answer) throw new Error('a page was expected');
  return answer;
}

const hostile = `"><script>alert('x')</script>&`;

describe('an HTML template', () => {
  it('escapes inserted values, and takes markup only from templates', () => {
    const rows = ['<a>', 'b'].map((name) => html`<li>${name}</li>`);
    expect(html`<ul title="${'"&\''}">${rows}</ul>`.html).toBe(
      '<ul title="&#34;&#38;&#39;"><li>&#60;a&#62;</li><li>b</li></ul>',
    );
  });
});

describe('the choice page', () => {
  it('escapes text from platforms and users', () => {
    const page = choicePage({ platformAccountId: hostile, username: hostile, displayName: hostile });
    expect(page.html).not.toContain('<script');
    expect(page.html).toContain('&#60;script&#62;');
  });

  it('allows its own style and the hosts of the pictures, and nothing else', () => {
    const policy = choicePage().contentSecurityPolicy;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/style-src 'sha256-[\w+/]+=*'/);
    expect(policy).toContain('img-src https://images.example;');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('allows the form to redirect to a loopback redirectUrl, because form-action applies to redirects too', () => {
    const policy = choicePage({}, 'http://localhost:3000/done').contentSecurityPolicy;
    expect(policy).toContain("form-action 'self' https: http://localhost:3000;");
  });

  it('allows every http host for a loopback redirectUrl that a policy cannot name', () => {
    const policy = choicePage({}, 'http://[::1]:3000/done').contentSecurityPolicy;
    expect(policy).toContain("form-action 'self' https: http:;");
  });

  it.each([null, 'javascript:alert(1)', 'data:image/svg+xml,x', 'no address', `https://x${hostile}`])(
    'shows a letter if the picture’s URL is %s',
    (avatarUrl) => {
      const page = choicePage({ avatarUrl });
      expect(page.html).not.toContain('<img');
      expect(page.contentSecurityPolicy).toContain("img-src 'none'");
    },
  );

  it('has a policy that a picture’s URL cannot widen', () => {
    const page = choicePage({ avatarUrl: "https://x.example/;script-src 'unsafe-inline'" });
    expect(page.contentSecurityPolicy).toContain('img-src https://x.example;');
    for (const avatarUrl of [
      'https://x;sandbox/',
      'https://x,y/',
      'https://*/',
      'https://x;frame-ancestors/a',
    ]) {
      expect(choicePage({ avatarUrl }).contentSecurityPolicy).toContain("img-src 'none';");
    }
    expect(page.contentSecurityPolicy).not.toContain('script-src');
  });

  it('shows the best name that an account has', () => {
    expect(choicePage({ displayName: null, username: '@ada' }).html).toContain('<span>@ada</span>');
    expect(choicePage({ displayName: null, username: null }).html).toContain('<span>a</span>');
  });
});

describe('the page behind authUrl', () => {
  it('says who asks for what, and escapes the name of the workspace', () => {
    expect(introductionPage('My product').html).toContain(
      '<b><bdi>My product</bdi></b> asks to publish as you on TikTok.',
    );
    expect(introductionPage(hostile).html).not.toContain('<script');
  });

  it('tells apart workspaces of the same name, as the page of the choice does', () => {
    expect(introductionPage('My product').html).toContain('Workspace id: <code>0190-1</code>');
    expect(choicePage().html).toContain('Workspace id: <code>0190-1</code>');
  });

  it('allows its form to lead to the platform', () => {
    const policy = introductionPage('A', 'http://127.0.0.1:4100/authorize').contentSecurityPolicy;
    expect(policy).toContain("form-action 'self' https: http://127.0.0.1:4100;");
    expect(policy).toContain("frame-ancestors 'none'");
  });
});

describe('the refusal page', () => {
  it('shows a text of ours', () => {
    const answer = answerTo({
      kind: 'refused',
      error: 'missing_permissions',
      platform: 'tiktok',
      redirectUrl: undefined,
    });
    expect(answer).toMatchObject({
      status: 400,
      html: expect.stringContaining('TikTok did not grant every permission'),
    });
  });
});
