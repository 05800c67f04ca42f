/** The requests of the widget. They send no cookies. */
import type { WIDGET_ENDPOINTS, WIDGET_PAGE_ENDPOINTS } from '@coffer/contract/widget/widget'
import { createCall, request, type ResponseOf } from '../ui/request.ts'

export type Wallet = ResponseOf<typeof WIDGET_ENDPOINTS.readWidgetWallet>

export const call = createCall<typeof WIDGET_ENDPOINTS & typeof WIDGET_PAGE_ENDPOINTS>(request)
