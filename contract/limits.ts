/** Every bound that callers can run into, in one place. */

export const API_VERSION = '1.1.0'

export const REFERENCE_TYPE_MAX = 64
export const REFERENCE_ID_MAX = 255
export const DESCRIPTION_MAX = 500
export const SERVICE_USER_ID_MAX = 255

export const TRANSACTIONS_DEFAULT = 50
export const TRANSACTIONS_MAX = 100

export const LINK_CODE_SECONDS = 120

export const BODY_MAX_BYTES = 16 * 1024
export const HEADER_MAX_BYTES = 8 * 1024

export const ORIGINS_MAX = 50
