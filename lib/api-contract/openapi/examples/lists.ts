/** Real responses of the operations on an account's slots and disconnection, for the document. */
export const examples = {
  listSlots: {
    responses: {
      200: {
        timezone: 'Europe/Istanbul',
        slots: [
          { at: '2026-03-02T06:00:00.000Z', local: '2026-03-02T09:00:00+03:00' },
          { at: '2026-03-02T08:00:00.000Z', local: '2026-03-02T11:00:00+03:00' },
          { at: '2026-03-02T10:00:00.000Z', local: '2026-03-02T13:00:00+03:00' },
        ],
      },
    },
  },
  previewDisconnect: {
    responses: {
      200: {
        scheduledTargets: 12,
        activeAutomations: 2,
        revokesAccess: false,
        accountsOfSameLogin: [
          {
            id: '019ca9a0-4e00-7000-8000-000000000012',
            platform: 'facebook',
            username: null,
            displayName: 'Harbour Coffee Roastery',
          },
        ],
      },
    },
  },
} as const;
