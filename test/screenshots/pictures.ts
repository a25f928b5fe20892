import type { Page } from 'playwright-core';

/** Pictures of the scene's posts: simple drawings, so that no photograph needs a licence. */
const drawings = {
  cup: [
    '#f4d8b8',
    '<rect x="290" y="420" width="420" height="330" rx="150" fill="#fff"/><path d="M710 480h60a95 95 0 0 1 0 190h-80" fill="none" stroke="#fff" stroke-width="48"/><ellipse cx="500" cy="440" rx="185" ry="42" fill="#6b3f1d"/><path d="M430 330q-40-60 0-120M520 330q-40-60 0-120M610 330q-40-60 0-120" fill="none" stroke="#b98a5e" stroke-width="22" stroke-linecap="round"/>',
  ],
  beans: [
    '#2d4a3e',
    [
      [300, 340, 20],
      [620, 300, -30],
      [450, 560, 60],
      [720, 620, 10],
      [260, 720, -50],
    ]
      .map(
        ([x, y, angle]) =>
          `<g transform="translate(${x} ${y}) rotate(${angle})"><ellipse rx="120" ry="82" fill="#8a5a34"/><path d="M-118 0C-40-60 40 60 118 0" fill="none" stroke="#4e2f18" stroke-width="16"/></g>`,
      )
      .join(''),
  ],
  harbour: [
    '#9cc7dc',
    '<rect y="640" width="1000" height="360" fill="#2f6f8f"/><path d="M180 640h640l-90 130H270z" fill="#fff"/><path d="M500 180v460M500 200l230 380H500z" fill="#e85d3d" stroke="#333" stroke-width="12"/><circle cx="800" cy="210" r="80" fill="#ffe28a"/>',
  ],
  cake: [
    '#f7c6cf',
    '<rect x="230" y="560" width="540" height="220" rx="24" fill="#fff"/><rect x="230" y="480" width="540" height="120" rx="50" fill="#c2476b"/><circle cx="400" cy="440" r="42" fill="#8d1f3f"/><circle cx="520" cy="420" r="42" fill="#8d1f3f"/><circle cx="630" cy="445" r="42" fill="#8d1f3f"/>',
  ],
  plant: [
    '#e6efd9',
    '<path d="M380 640h240l-40 230H420z" fill="#c9704a"/><path d="M500 640C500 420 330 380 300 240c170 10 220 150 200 300C520 360 620 250 740 240c0 180-120 260-240 400" fill="#4c8a4f"/>',
  ],
} as const;

export type PictureName = keyof typeof drawings;
export const pictureNames = Object.keys(drawings) as readonly PictureName[];

/** Draws a picture. @returns a JPEG of 1080 × 1080 pixels */
export async function draw(page: Page, name: PictureName): Promise<Buffer> {
  const [background, shapes] = drawings[name];
  await page.setViewportSize({ width: 1_080, height: 1_080 });
  await page.setContent(
    `<body style="margin:0;background:${background}"><svg viewBox="0 0 1000 1000" width="1080" height="1080">${shapes}</svg>`,
  );
  return page.screenshot({ type: 'jpeg', quality: 90 });
}
