import { instagram, pinterest, youtube } from '../support/accounts.ts';
import { panelTest, scrollsSideways, violationsIn } from '../support/panel.ts';
import { finding, serveComposer, servePost, storedPost, threads, tiktok } from './support/serve.ts';

panelTest('shots', async ({ panel: { page, api, open } }) => {
  serveComposer(api, {
    problems: (body) => [
      ...(body.platforms?.some((each) => each.accountId === tiktok.id)
        ? [
            finding(
              'platforms[1].platformSpecificData.privacyLevel',
              'is required: PUBLIC_TO_EVERYONE, SELF_ONLY',
              tiktok,
            ),
          ]
        : []),
      finding(
        'content',
        'Threads allows at most 500 characters (emoji count as their UTF-8 bytes); this text has 512',
        threads,
      ),
    ],
    warnings: [finding('mediaItems[0].altText', 'is left out: TikTok takes none', tiktok)],
  });
  await page.setViewportSize({ width: 1280, height: 900 });
  await open('/compose');
  await page.getByRole('textbox', { name: 'Text' }).waitFor();
  await page.screenshot({ path: '/tmp/w13-1.png', fullPage: false });
  await page.getByRole('checkbox', { name: /Threads/ }).click({ force: true });
  await page.getByRole('checkbox', { name: /Nordlicht TikTok/ }).click({ force: true });
  await page.getByRole('textbox', { name: 'Text' }).fill('Fresh beans from Ethiopia. '.repeat(20));
  await page.getByRole('button', { name: 'Schedule' }).click();
  await page.waitForTimeout(1500);
  await page.screenshot({ path: '/tmp/w13-2.png', fullPage: true });
  await page.getByRole('tab', { name: /TikTok/ }).click();
  await page.waitForTimeout(500);
  await page.screenshot({ path: '/tmp/w13-3.png', fullPage: true });
  console.log(await violationsIn(page));
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: '/tmp/w13-4.png', fullPage: true });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.screenshot({ path: '/tmp/w13-5.png', fullPage: true });
  console.log('side', await scrollsSideways(page));
  await page.setViewportSize({ width: 320, height: 740 });
  console.log('side', await scrollsSideways(page));
});
