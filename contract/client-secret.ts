/** The page behind the one-time link that the contacts of a client app get after an emergency rotation. */
import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import * as shape from './shapes.ts'
import { ANY_PAGE_POST } from './widget/widget.ts'

export const collectClientSecret = defineEndpoint({
  method: 'POST',
  path: '/api/client-secret',
  summary: 'Collect a new client secret',
  description:
    'Creates the secret and shows it once. The old secrets stopped working when an operator replaced them.',
  input: z.object({ ticket: shape.ticket }),
  response: z.object({ clientId: z.string(), clientSecret: z.string() }),
  errors: { ...ANY_PAGE_POST, SECRET_LINK_INVALID: {} },
})

export const CLIENT_SECRET_ENDPOINTS = { collectClientSecret }
