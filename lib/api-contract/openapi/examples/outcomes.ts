/** Examples of the operations of `lib/punctuality`. */
export const examples = {
  getPunctuality: {
    responses: {
      200: {
        punctuality: {
          from: '2026-11-16T00:00:00.000Z',
          to: '2026-11-22T15:04:05.000Z',
          count: 214,
          p50Ms: 41,
          p90Ms: 118,
          p95Ms: 201,
          p99Ms: 902,
          worstMs: 4_310,
          withinOneSecond: 0.9906542056074766,
          platforms: [
            {
              platform: 'instagram',
              count: 160,
              p50Ms: 40,
              p90Ms: 112,
              p95Ms: 178,
              p99Ms: 655,
              worstMs: 902,
              withinOneSecond: 1,
            },
            {
              platform: 'youtube',
              count: 54,
              p50Ms: 47,
              p90Ms: 139,
              p95Ms: 366,
              p99Ms: 4_310,
              worstMs: 4_310,
              withinOneSecond: 0.9629629629629629,
            },
          ],
        },
      },
    },
  },
} as const;
