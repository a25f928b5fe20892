/** Our own drawings of what people do with posts, on 20 × 20. They are no logos, and say nothing that assistive technology would miss. */
const shapes = {
  heart: 'M10 16.5 3.9 10.6a3.8 3.8 0 0 1 5.4-5.4l.7.7.7-.7a3.8 3.8 0 0 1 5.4 5.4Z',
  bubble: 'M10 3.5a6.5 6.5 0 0 1 0 13 6.4 6.4 0 0 1-3-.75L3.5 16.5l.75-3.5A6.5 6.5 0 0 1 10 3.5Z',
  plane: 'M16.5 3.5 9 11M16.5 3.5 12 16.5 9 11 3.5 8Z',
  mark: 'M5.5 3.5h9v13L10 13l-4.500 3.500Z',
  thumb:
    'M3.5 9h2.750v7H3.5ZM6.25 9.500 9.250 3.500c1.500 0 2 1 1.750 2.250L10.500 8.250h4.750c1 0 1.500.75 1.250 1.750l-1.250 5c-.250.750-.75 1-1.500 1h-7.500',
  repeat: 'M5 9V6.500h9L12 4.250M15 11v2.500H6l2 2.250',
  share: 'M11 4.500 16.500 9.500 11 14.500v-3c-4 0-6 1-7.500 3.500.250-4.500 2.500-7 7.500-7.500Z',
  dots: 'M4.500 10h.01M10 10h.01M15.500 10h.01',
  globe:
    'M10 16.500a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13ZM3.500 10h13M10 3.500c-4 4-4 9 0 13M10 3.500c4 4 4 9 0 13',
  note: 'M8 14.500a2 2 0 1 1-2-2 2 2 0 0 1 2 2ZM8 14.500V5l7-1.500v9M15 12.500a2 2 0 1 1-2-2 2 2 0 0 1 2 2Z',
  play: 'M7 4.500v11l8.500-5.500Z',
  down: 'm5 8 5 5 5-5',
} as const;

export type SignName = keyof typeof shapes;

export function Sign({ name, size = 20 }: { name: SignName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill={name === 'play' ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={name === 'dots' ? 2.25 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={shapes[name]} />
    </svg>
  );
}
