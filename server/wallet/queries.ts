export const READ_TRANSACTION_ID_KEY = 'select transaction_id_key as key from directory.deployment'
